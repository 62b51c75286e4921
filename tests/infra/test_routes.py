"""Finding the function of a path."""

from functions.manifest import API_FUNCTIONS, ApiFunction, Route
from infra.local.routes import Match, NoMatch, RouteTable

TABLE = RouteTable(API_FUNCTIONS)


def found(method: str, path: str) -> tuple[str, dict[str, str]]:
    match = TABLE.find(method, path)
    assert isinstance(match, Match), f"{method} {path} has no function"
    return match.function.name, match.parameters


def test_every_route_of_the_manifest_leads_to_its_function():
    for function in API_FUNCTIONS:
        for route in function.routes:
            name, parameters = found(route.method, route.path.replace("{", "").replace("}", ""))

            assert name == function.name
            assert parameters == {v: v for v in parameters}


def test_a_fixed_path_wins_over_a_parameter():
    assert found("GET", "/v1/memories/count") == ("count_memories", {})
    assert found("GET", "/v1/memories/counts") == ("get_memory", {"memory_id": "counts"})


def test_parameters_are_percent_decoded_once():
    assert found("GET", "/v1/memories/a%252Fb") == ("get_memory", {"memory_id": "a%2Fb"})


def test_an_empty_parameter_is_no_match():
    assert TABLE.find("GET", "/v1/memories/") == NoMatch(allowed=())


def test_a_wrong_method_tells_those_the_path_takes():
    assert TABLE.find("DELETE", "/v1/memories") == NoMatch(allowed=("GET", "POST"))
    assert TABLE.find("POST", "/v1/memories/x") == NoMatch(
        allowed=("DELETE", "GET", "PATCH", "PUT")
    )


def test_an_unknown_path_allows_nothing():
    assert TABLE.find("GET", "/v2") == NoMatch(allowed=())
    assert TABLE.find("GET", "/v1/memories/x/y") == NoMatch(allowed=())


def test_a_greedy_parameter_takes_the_rest_of_the_path_after_all_others_declined():
    table = RouteTable(
        [
            ApiFunction(name="greedy", method="GET", path="/n/{name+}"),
            ApiFunction(
                name="one",
                method="GET",
                path="/n/{name}/settings",
                aliases=(Route(method="GET", path="/fixed"),),
            ),
        ]
    )

    greedy = table.find("GET", "/n/a/b%2Fc")
    one = table.find("GET", "/n/a/settings")

    assert isinstance(greedy, Match)
    assert greedy.parameters == {"name": "a/b/c"}
    assert isinstance(one, Match)
    assert one.function.name == "one"
