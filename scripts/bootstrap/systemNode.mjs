import { CommandError } from './commandError.mjs'

const oldest = 20

/** @throws {CommandError} when the Node that runs this is too old to install the project's own */
export function requireSystemNode() {
  const { node } = process.versions
  if (Number.parseInt(node, 10) >= oldest) return
  throw new CommandError(
    `Wheelhouse needs Node ${oldest} or newer to begin, and this is ${node}: see https://nodejs.org`,
  )
}
