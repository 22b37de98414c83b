"""Mutations that matter in code that calls autograd, beside those cosmic-ray brings.

Its own operators change operators, numbers and constants. What goes wrong here is more often a
call that is missing: no `zero_grad()`, no `detach()`, no `retain_graph=True`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import parso
from cosmic_ray.operators.operator import Example, Operator

Position = tuple[tuple[int, int], tuple[int, int]]


class RemoveStatement(Operator):
    """Put `pass` in the place of a statement."""

    def mutation_positions(self, node: Any) -> Iterator[Position]:
        """The statement of a line that is not a docstring."""
        if node.type == "simple_stmt" and node.children[0].type != "string":
            yield node.start_pos, node.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        """Replace the statement and keep its indentation and the end of the line."""
        first = node.get_first_leaf()
        node.children[0] = parso.python.tree.Keyword("pass", first.start_pos, first.prefix)
        return node

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        """One example."""
        return (Example("optimizer.zero_grad()\n", "pass\n"),)


class RemoveKeywordArgument(Operator):
    """Leave an argument given by name to its default."""

    def mutation_positions(self, node: Any) -> Iterator[Position]:
        """Every `name=value` of a call."""
        if node.type == "trailer" and node.children[0] == "(":
            for argument in self._named(node):
                yield argument.start_pos, argument.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        """Drop the argument, and the comma that goes with it."""
        argument = self._named(node)[index]
        if node.children[1] is argument:
            del node.children[1]
            return node
        arguments = node.children[1].children
        place = arguments.index(argument)
        del arguments[max(place - 1, 0) : max(place - 1, 0) + 2]
        return node

    def _named(self, trailer: Any) -> list[Any]:
        inside = trailer.children[1]
        arguments = inside.children if inside.type == "arglist" else [inside]
        return [a for a in arguments if a.type == "argument" and a.children[1] == "="]

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        """One example in a list of arguments, one alone."""
        return (
            Example("torch.tensor(x, requires_grad=True)", "torch.tensor(x)"),
            Example("loss.backward(retain_graph=True)", "loss.backward()"),
        )


class RemoveLink(Operator):
    """Take one link out of a chain: a method call, or an attribute."""

    def mutation_positions(self, node: Any) -> Iterator[Position]:
        """Every `.name(…)` and `.name`, other than the names a module has."""
        for first, last in self._links(node):
            yield first.start_pos, last.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        """Drop the link."""
        first, last = self._links(node)[index]
        start, end = node.children.index(first), node.children.index(last)
        del node.children[start : end + 1]
        return node

    def _links(self, node: Any) -> list[tuple[Any, Any]]:
        if node.type not in ("atom_expr", "power") or node.children[0] == "torch":
            return []
        links = []
        trailers = [child for child in node.children if child.type == "trailer"]
        for trailer, following in zip(trailers, [*trailers[1:], None], strict=False):
            if trailer.children[0] == ".":
                called = following is not None and following.children[0] == "("
                links.append((trailer, following if called else trailer))
        return links

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        """One example of each kind."""
        return (
            Example("leaf = x.detach().requires_grad_()", "leaf = x.requires_grad_()"),
            Example("A.T @ dY", "A @ dY"),
        )


OPERATORS: dict[str, type[Operator]] = {
    operator.__name__: operator for operator in (RemoveStatement, RemoveKeywordArgument, RemoveLink)
}
