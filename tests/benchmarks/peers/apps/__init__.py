"""The peers: programs of environments of their own, each written as its documentation would."""
