"""The API's documentation as pages: the OpenAPI document and a page to read and try it.

The page holds everything it needs (Swagger UI ships inside Powertools), so it works without a
network and loads nothing from elsewhere.
"""

from functools import cache
from importlib.resources import files

from functions.openapi import OPENAPI_FILE

JSON_TYPE = "application/json"
HTML_TYPE = "text/html; charset=utf-8"

_ASSETS = "aws_lambda_powertools.event_handler.openapi.swagger_ui"
_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Omoide API</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<div id="api"></div>
<script>{script}</script>
<script>
SwaggerUIBundle({{
  spec: {document},
  dom_id: "#api",
  deepLinking: true,
  filter: true,
  displayRequestDuration: true,
  presets: [SwaggerUIBundle.presets.apis]
}});
</script>
</body>
</html>
"""


@cache
def openapi_json() -> bytes:
    """The committed OpenAPI document, UTF-8."""
    return OPENAPI_FILE.read_bytes()


@cache
def docs_page() -> bytes:
    """A page that shows the document and sends requests to the server it came from, UTF-8."""
    document = openapi_json().decode().replace("</", "<\\/")
    page = _PAGE.format(
        style=_asset("swagger-ui.min.css"),
        script=_asset("swagger-ui-bundle.min.js").replace("</script", "<\\/script"),
        document=document,
    )
    return page.encode()


def _asset(name: str) -> str:
    return files(_ASSETS).joinpath(name).read_text(encoding="utf-8")
