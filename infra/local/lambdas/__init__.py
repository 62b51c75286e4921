"""Functions on this machine as Lambda runs them: packaged as deployed, under its runtime client."""
