"""What the services need from the outside world, as protocols."""
