"""Operations that the conformance suite asks for by name, served by the very code that serves the product's own."""
