"""Which texts tell of a change."""

import pytest

from omoide.domain.change_words import tells_change


@pytest.mark.parametrize(
    "text",
    [
        "We moved to a bigger office.",
        "I no longer eat meat.",
        "The rent was raised to 900 euros.",
        "エディタを乗り換え、設定も変更した。",
        "7月から家賃が上がった。",
        "会议改到周四。",
        "요금이 인상되었다.",
        "Wir sind nach Kiel umgezogen.",
        "Nous avons déménagé à Lyon.",
        "Ya no trabajo en el banco.",
        "Теперь я живу в Казани.",
        "Tôi đã chuyển sang công ty khác.",
    ],
)
def test_a_text_of_a_change_is_recognised(text: str) -> None:
    assert tells_change(text)


@pytest.mark.parametrize(
    "text",
    [
        "The rent is 850 euros.",
        "My knees hurt on stairs.",
        "Nowhere is as quiet as the library.",
        "家賃は月12万円。",
        "会议在周三。",
        "월세는 팔십만 원이다.",
        "Die Miete beträgt 850 Euro.",
        "",
    ],
)
def test_a_text_of_a_state_is_not(text: str) -> None:
    assert not tells_change(text)
