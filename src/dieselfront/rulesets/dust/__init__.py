"""What the Dust games share: state, hook points, shots and events. The rules themselves live in the rulesets."""
