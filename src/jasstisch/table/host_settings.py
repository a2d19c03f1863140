"""The settings of a table's host, as they change with events."""

from msgspec.structs import replace

from jasstisch.table import events


def with_setting(house: events.HostSettings, event: events.SettingEvent) -> events.HostSettings:
    """The settings after a decision of the host that concerns no seat."""
    match event:
        case events.EntryPolicySet(entry):
            return replace(house, entry=entry)
        case events.StartPolicySet(who):
            return replace(house, starters=who)
        case events.ChatPolicySet(allowed):
            return replace(house, writing=allowed)
        case events.PublishedSet(published):
            return replace(house, published=published)
        case events.SpectatorDelaySet(delayed):
            return replace(house, delayed=delayed)
        case events.LinkRevoked(key):
            return replace(house, key=key, requests=[])


def with_seated(house: events.HostSettings, event: events.SeatTaken) -> events.HostSettings:
    """The settings after a person has taken a seat, who becomes the host where there is none."""
    return replace(
        house,
        host=house.host or (None if event.program else event.person),
        requests=[one for one in house.requests if one.person != event.person],
        removed=[one for one in house.removed if one != event.person],
    )


def with_host(house: events.HostSettings, person: str | None) -> events.HostSettings:
    """The settings after the host's rights have passed on before the match, or back."""
    absent = house.absent_host or house.host
    stays = person in (house.host, absent)
    return replace(house, host=person, absent_host=None if stays else absent)


def without_absent_host(house: events.HostSettings) -> events.HostSettings:
    """The settings after a host who is gone has lost their claim to the rights."""
    return house if house.absent_host is None else replace(house, absent_host=None)


def without_request(house: events.HostSettings, number: int) -> events.HostSettings:
    """The settings without the entry request of this number."""
    return replace(house, requests=[one for one in house.requests if one.number != number])
