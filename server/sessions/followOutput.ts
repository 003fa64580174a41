import type { PastOutputWord } from '../../src/schemas/frames/terminal.ts'
import type { LiveTerminal } from './liveTerminals.ts'

interface FollowOptions {
  /** Bytes of the terminal's output that are there already. */
  offset: number
  /** Milliseconds between two pieces. */
  everyMs: number
  /** Bytes of one piece. */
  pieceBytes: number
  /** Whether another piece may be taken; if not, it is asked again later. */
  hasRoom(): boolean
  /** The next piece does not follow the one before: output was dropped meanwhile. Also before the first piece. */
  onPast(word: PastOutputWord): void
  onPiece(bytes: Uint8Array): void
}

/** Takes the output of a terminal from its history, at a pace of its own: the shell and its owner never wait for it. */
export interface OutputFollower {
  /** Takes what there is, whether or not there is room. */
  flush(): void
  stop(): void
}

export function followOutput(
  terminal: Pick<LiveTerminal, 'history' | 'onOutput'>,
  options: FollowOptions,
): OutputFollower {
  const { everyMs, pieceBytes, hasRoom, onPast, onPiece } = options
  let { offset } = options
  let isFirst = true
  let hasStopped = false
  let timer: NodeJS.Timeout | undefined

  /** @returns whether there may be more */
  function take(): boolean {
    const { from, to, modes, end, pieces } = terminal.history.since(offset, pieceBytes)
    if (isFirst || from !== offset) onPast({ from, to: end, modes })
    isFirst = false
    for (const piece of pieces) onPiece(piece)
    offset = to
    return to < end
  }

  function schedule(): void {
    // A piece may have been the last one: it may stop this while it is taken.
    if (hasStopped) return
    timer ??= setTimeout(() => {
      timer = undefined
      if (!hasRoom() || take()) schedule()
    }, everyMs)
  }

  const forget = terminal.onOutput(schedule)
  if (hasRoom() && take()) schedule()
  return {
    flush() {
      while (take()) {}
    },
    stop() {
      hasStopped = true
      forget()
      clearTimeout(timer)
    },
  }
}
