/**
 * A start that cannot succeed as things are. The message is one sentence (or two) for the operator: what is in the
 * way and what to do. It is printed without a stack.
 */
export class StartError extends Error {}
