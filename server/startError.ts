/**
 * A start that cannot succeed. The message is a sentence or two for the operator: what is wrong and what to do. It is
 * printed without a stack.
 */
export class StartError extends Error {}
