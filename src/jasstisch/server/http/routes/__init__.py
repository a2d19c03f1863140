"""The REST routes, one module for each subject.

They check and translate requests and call the services; they hold no state and no rules of their
own. Begin with `analysis`, the shortest complete example.
"""
