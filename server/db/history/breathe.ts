/** Lets everybody else have a turn. */
export const breathe = () => new Promise<void>((resolve) => void setImmediate(resolve))
