"""The table of the records."""

from typing import cast

from aws_cdk import RemovalPolicy
from aws_cdk import aws_dynamodb as dynamodb
from constructs import Construct

from infra.aws.options import Options
from omoide.adapters.dynamodb.table import TABLE


def records_table(scope: Construct, options: Options) -> dynamodb.ITable:
    """The table that the options name, or a new one."""
    if not options.table:
        return cast("dynamodb.ITable", _new_table(scope, options))
    return dynamodb.Table.from_table_attributes(
        scope,
        "Records",
        table_name=options.table,
        table_stream_arn=options.table_stream,
        global_indexes=[TABLE.due_index.name],
    )


def _new_table(scope: Construct, options: Options) -> dynamodb.Table:
    """One table for every kind of item: on demand, encrypted, restorable to any second."""
    table = dynamodb.Table(
        scope,
        "Records",
        partition_key=_text(TABLE.partition_key),
        sort_key=_text(TABLE.sort_key),
        time_to_live_attribute=TABLE.ttl_attribute,
        billing_mode=dynamodb.BillingMode.PAY_PER_REQUEST,
        encryption=dynamodb.TableEncryption.AWS_MANAGED,
        stream=dynamodb.StreamViewType[TABLE.stream_view],
        deletion_protection=options.keep_data,
        removal_policy=RemovalPolicy.RETAIN if options.keep_data else RemovalPolicy.DESTROY,
        point_in_time_recovery_specification=dynamodb.PointInTimeRecoverySpecification(
            point_in_time_recovery_enabled=True
        ),
    )
    table.add_global_secondary_index(
        index_name=TABLE.due_index.name,
        partition_key=_text(TABLE.due_index.partition_key),
        sort_key=_text(TABLE.due_index.sort_key),
        projection_type=dynamodb.ProjectionType.KEYS_ONLY,
    )
    return table


def _text(name: str) -> dynamodb.Attribute:
    return dynamodb.Attribute(name=name, type=dynamodb.AttributeType.STRING)
