"""A dishonest server against the devices that check the deals (docs/fair-deals.md)."""
