/** Lets other work of the event loop run. */
export const yieldToEventLoop = () => new Promise<void>((resolve) => void setImmediate(resolve))
