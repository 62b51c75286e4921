"""The CDK app: ``cdk deploy`` runs it with the choices of ``-c name=value``."""

import sys

import aws_cdk as cdk
import cdk_nag

from infra.aws.options import OptionError, Options
from infra.aws.stack import OmoideStack
from infra.packaging.build import build_package
from infra.packaging.gate import check_package
from infra.packaging.target import PackagingError


def main() -> int:
    """Build the layers, print their sizes, write the templates."""
    app = cdk.App()
    try:
        options = Options.read(app.node.try_get_context)
        package = build_package(options.target)
        sys.stderr.write(f"{options.target}: {check_package(package, options.target)}\n")
    except (OptionError, PackagingError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    OmoideStack(app, options=options, package=package)
    cdk.Validations.of(app).add_plugins(cdk_nag.AwsSolutionsChecks(app))
    app.synth()
    return 0


if __name__ == "__main__":
    sys.exit(main())
