import { encodeInput, encodeResize } from '../../../../src/schemas/frames/terminal.ts'
import type { Shell, TerminalSize } from '../host.ts'
import { taskTypes } from './agentConnection.ts'
import type { AgentStreams } from './agentStreams.ts'
import { createReadErrors } from './readErrors.ts'

/** The agent's last frame when the shell has exited. */
const exitFrame = /^read \/dev\/\S+: input\/output error$/

/**
 * Opens a shell of the agent (docs/contract/AGENT.md#8-iostream-sessions-m). Its output waits under the flow control of
 * the stream: the agent stops reading from the terminal when nobody reads from the stream.
 * @throws HostUnavailableError
 */
export async function openAgentShell(streams: AgentStreams, size: TerminalSize): Promise<Shell> {
  const stream = await streams.open(taskTypes.terminal, {})
  let hasExited = false
  let onData = (_bytes: Uint8Array) => {}
  const exitListeners: (() => void)[] = []
  const output = createReadErrors(exitFrame, (bytes) => onData(bytes))
  stream.onEnd(() => {
    hasExited = true
    output.end()
    for (const listener of exitListeners) listener()
  })
  stream.write(encodeResize(size))

  return {
    onData(listener) {
      onData = listener
      stream.onFrame(output.add)
    },
    onExit(listener) {
      if (hasExited) listener()
      else exitListeners.push(listener)
    },
    write(bytes) {
      if (bytes.length > 0 && !hasExited) stream.write(encodeInput(bytes))
    },
    pendingInputBytes: () => stream.pendingBytes(),
    resize(newSize) {
      if (!hasExited) stream.write(encodeResize(newSize))
    },
    pause: () => stream.pause(),
    resume: () => stream.resume(),
    async kill() {
      stream.end()
    },
  }
}
