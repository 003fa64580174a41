import { transferLimits } from '../../../src/schemas/inspect/fileTransfers.ts'
import { escapeUnseen } from '../../log.ts'
import type { LeaveOut } from './walkFiles.ts'

/** Something that could not be taken along, and why. */
interface LeftOut {
  /** For reading. */
  path: string
  reason: string
}

/** How far a transfer of many files is, and what it had to leave out. */
export interface FilesProgress {
  at(path: Uint8Array): void
  /** @param bytes of content that were moved */
  add(bytes: number): void
  fileDone(): void
  leaveOut: LeaveOut
  /** What was left out, a line each; nothing when nothing was. */
  leftOutText(): string
  now(): { files: number; bytes: number; current: string; left_out: number; notes: LeftOut[] }
}

/** The end of a path says more than its beginning; each question for transfers carries many of them. */
function shortened(bytes: Uint8Array): string {
  const path = decoder.decode(bytes)
  return path.length > transferLimits.shownPath ? `…${path.slice(-transferLimits.shownPath)}` : path
}

const decoder = new TextDecoder()

export function createFilesProgress(): FilesProgress {
  let files = 0
  let bytes = 0
  let current = ''
  let leftOut = 0
  const notes: LeftOut[] = []
  return {
    at(path) {
      current = shortened(path)
    },
    add(more) {
      bytes += more
    },
    fileDone() {
      files += 1
    },
    leaveOut(path, reason) {
      leftOut += 1
      if (notes.length < transferLimits.notes) {
        notes.push({ path: shortened(path), reason: reason.slice(0, transferLimits.reason) })
      }
    },
    leftOutText() {
      const more = leftOut - notes.length
      const lines = notes.map(({ path, reason }) => `${escapeUnseen(`${path}: ${reason}`)}\n`)
      return lines.join('') + (more > 0 ? `and ${more} more\n` : '')
    },
    now: () => ({ files, bytes, current, left_out: leftOut, notes }),
  }
}
