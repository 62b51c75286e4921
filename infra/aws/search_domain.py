"""The OpenSearch domain: one small encrypted node."""

from collections.abc import Sequence
from typing import Any

from aws_cdk import Aws, RemovalPolicy
from aws_cdk import aws_iam as iam
from aws_cdk import aws_opensearchservice as opensearch
from constructs import Construct

from infra.aws.findings import accept

ENGINE_VERSION = "OpenSearch_2.19"
NODE_TYPE = "t3.small.search"
VOLUME_GIB = 20

_REASONS = {
    "OS1": "Reached over TLS with signed requests of the functions' roles alone; a VPC would need "
    "interface endpoints or a NAT gateway that cost more than the node.",
    "OS3": "The functions have no fixed addresses; the policy names their roles instead.",
    "OS4": "One node: the index is a copy, rebuilt from the table with `omoide reindex`.",
    "OS7": "One node: while it is away searches go on over the newest records.",
    "OS9[LogExport::SEARCH_SLOW_LOGS]": "Slow logs would hold what was asked for.",
    "OS9[LogExport::INDEX_SLOW_LOGS]": "Slow logs would hold what is remembered.",
}


class SearchDomain(Construct):
    """A domain that takes signed requests of some roles and nobody else's."""

    def __init__(self, scope: Construct, construct_id: str, *, domain_name: str) -> None:
        super().__init__(scope, construct_id)
        self._name = domain_name
        self.domain = opensearch.CfnDomain(
            self,
            "Domain",
            domain_name=domain_name,
            engine_version=ENGINE_VERSION,
            cluster_config=opensearch.CfnDomain.ClusterConfigProperty(
                instance_type=NODE_TYPE, instance_count=1, zone_awareness_enabled=False
            ),
            ebs_options=opensearch.CfnDomain.EBSOptionsProperty(
                ebs_enabled=True, volume_type="gp3", volume_size=VOLUME_GIB
            ),
            encryption_at_rest_options=opensearch.CfnDomain.EncryptionAtRestOptionsProperty(
                enabled=True
            ),
            node_to_node_encryption_options=(
                opensearch.CfnDomain.NodeToNodeEncryptionOptionsProperty(enabled=True)
            ),
            domain_endpoint_options=opensearch.CfnDomain.DomainEndpointOptionsProperty(
                enforce_https=True, tls_security_policy="Policy-Min-TLS-1-2-PFS-2023-10"
            ),
            software_update_options=opensearch.CfnDomain.SoftwareUpdateOptionsProperty(
                auto_software_update_enabled=True
            ),
        )
        self.domain.apply_removal_policy(RemovalPolicy.DESTROY)
        accept(self, _REASONS)

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"https://{self.domain.attr_domain_endpoint}"

    @property
    def arn(self) -> str:
        """Known before it is made, so that policies and domain do not wait for each other."""
        return f"arn:{Aws.PARTITION}:es:{Aws.REGION}:{Aws.ACCOUNT_ID}:domain/{self._name}"

    def admit(self, roles: Sequence[iam.Role], actions: Sequence[str]) -> None:
        """Let these roles do these things, and nobody else anything."""
        statement: dict[str, Any] = {
            "Effect": "Allow",
            "Principal": {"AWS": [role.role_arn for role in roles]},
            "Action": list(actions),
            "Resource": f"{self.arn}/*",
        }
        self.domain.access_policies = {"Version": "2012-10-17", "Statement": [statement]}
