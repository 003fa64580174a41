import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fieldsIn, type Values } from '../../src/schemas/define/values.ts'

/**
 * Bytes of one recording and of all, how many there are, and how much of the first line and of the end is read. What does
 * not fit takes the place of older ones; where all that is left is still being written, it is not recorded.
 */
export const recordingLimits = {
  bytes: 32 * 1024 * 1024,
  allBytes: 2 * 1024 * 1024 * 1024,
  count: 10_000,
  headerBytes: 4096,
  tailBytes: 256 * 1024,
} satisfies Record<string, number>

/** Where, who and when: the part of the first line that is ours. Players ignore it. */
export interface RecordedTerminal {
  server_id: number
  server_name: string
  user_id: number
  username: string
  /** Whether the settings wanted it, and not who was in the terminal. */
  by_settings: boolean
}

export interface StoredRecording extends RecordedTerminal {
  id: string
  /** Milliseconds since 1970. */
  began: number
  seconds: number
  /** Of whole lines. */
  bytes: number
  isRunning: boolean
}

/** One that is being written. */
export interface OpenRecording {
  readonly id: string
  /** Adds a line, if it fits. @returns whether it did */
  write(line: string, seconds: number): boolean
  /** Whether what was written waits for the disk. */
  isBusy(): boolean
  /** Completes the file. */
  end(): Promise<void>
}

export interface RecordingFiles {
  /** The latest first. */
  list(): Promise<readonly StoredRecording[]>
  /** @param onFailure called when it cannot be written any more */
  create(
    header: Values,
    about: RecordedTerminal & { began: number; session: string },
    onFailure: (error: Error) => void,
  ): Promise<OpenRecording>
  /** Its whole lines: a crash may have cut the last one. */
  read(recording: StoredRecording): Readable
  remove(id: string): Promise<void>
  /**
   * Deletes those that are older than so many milliseconds, and what is beyond the limits: the oldest of whoever has
   * most, so that nobody can push out what was recorded of others.
   */
  tidy(maxAgeMs: number): Promise<void>
}

/** Bytes that are written between two attempts to make room. */
const roomBytes = 1024 * 1024

const extension = '.cast'
const newline = 0x0a

/** @param folder made with the first recording */
export function createRecordingFiles(folder: string, now: () => number, limits = recordingLimits): RecordingFiles {
  const pathOf = (id: string) => join(folder, `${id}${extension}`)
  let loading: Promise<Map<string, StoredRecording>> | undefined
  /** Bytes of all. */
  let total = 0
  let makeRoomAt = limits.allBytes

  async function load(): Promise<Map<string, StoredRecording>> {
    const names = await readdir(folder).catch(() => [])
    const all = new Map<string, StoredRecording>()
    for (const name of names.sort()) {
      if (!name.endsWith(extension)) continue
      const id = name.slice(0, -extension.length)
      const recording = await readRecording(pathOf(id), id, limits).catch(() => undefined)
      if (!recording) continue
      all.set(id, recording)
      total += recording.bytes
    }
    return all
  }

  const recordings = () => {
    loading ??= load()
    return loading
  }

  async function list(): Promise<readonly StoredRecording[]> {
    return [...(await recordings()).values()].sort((a, b) => b.began - a.began)
  }

  async function remove(id: string): Promise<void> {
    const all = await recordings()
    const recording = all.get(id)
    if (!recording) return
    await rm(pathOf(id), { force: true })
    if (all.delete(id)) total -= recording.bytes
  }

  async function tidy(maxAgeMs: number): Promise<void> {
    const failures: unknown[] = []
    const tryToRemove = ({ id }: StoredRecording) =>
      remove(id).catch((error: unknown) => {
        failures.push(error)
      })
    const kept: StoredRecording[] = []
    for (const recording of await list()) {
      const isTooOld = recording.began + recording.seconds * 1000 + maxAgeMs < now()
      if (isTooOld && !recording.isRunning) await tryToRemove(recording)
      else kept.push(recording)
    }
    for (const recording of beyond(kept, limits)) await tryToRemove(recording)
    if (failures.length > 0) throw failures[0]
  }

  function makeRoom(): void {
    makeRoomAt = total + roomBytes
    const settle = () => {
      makeRoomAt = Math.max(limits.allBytes, total + roomBytes)
    }
    // What cannot be deleted is said when the next recording begins.
    void tidy(Number.POSITIVE_INFINITY).then(settle, settle)
  }

  return {
    list,
    async create(header, { began, session, ...about }, onFailure) {
      const all = await recordings()
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const id = `${new Date(began).toISOString().replace(/[-:.]/g, '')}-${session}`
      if (all.has(id)) throw new Error(`There is a recording ${id} already.`)
      const stored: StoredRecording = { id, ...about, began, seconds: 0, bytes: 0, isRunning: true }
      const stream = createWriteStream(pathOf(id), { flags: 'wx', mode: 0o600 })
      let hasFailed = false
      stream.on('error', (error) => {
        hasFailed = true
        stored.isRunning = false
        onFailure(error)
      })
      all.set(id, stored)
      const write = (line: string, seconds: number) => {
        const bytes = Buffer.byteLength(line)
        if (hasFailed || !stored.isRunning || stored.bytes + bytes > limits.bytes) return false
        if (total + bytes > limits.allBytes + limits.bytes) return false
        stored.bytes += bytes
        total += bytes
        if (total > makeRoomAt) makeRoom()
        stored.seconds = seconds
        stream.write(line)
        return true
      }
      write(`${JSON.stringify({ ...header, wheelhouse: about })}\n`, 0)
      return {
        id,
        write,
        isBusy: () => stream.writableNeedDrain,
        async end() {
          stored.isRunning = false
          if (!hasFailed) await ended(stream)
        },
      }
    },
    read: ({ id, bytes }) => createReadStream(pathOf(id), { end: Math.max(0, bytes - 1) }),
    remove,
    tidy,
  }
}

/**
 * What has to go so that the rest keeps to the limits; nothing that is still being written.
 * @param recordings the latest first
 */
function beyond(
  recordings: readonly StoredRecording[],
  { allBytes, count: maxCount }: Pick<typeof recordingLimits, 'allBytes' | 'count'>,
): StoredRecording[] {
  const people = new Map<number, { bytes: number; count: number; complete: StoredRecording[] }>()
  let [bytes, count] = [0, recordings.length]
  for (const recording of recordings) {
    const one = people.get(recording.user_id) ?? { bytes: 0, count: 0, complete: [] }
    people.set(recording.user_id, one)
    one.bytes += recording.bytes
    one.count += 1
    bytes += recording.bytes
    if (!recording.isRunning) one.complete.push(recording)
  }
  const gone: StoredRecording[] = []
  while (bytes > allBytes || count > maxCount) {
    const measure = bytes > allBytes ? 'bytes' : 'count'
    const candidates = [...people.values()].filter(({ complete }) => complete.length > 0)
    if (candidates.length === 0) break
    const most = candidates.reduce((a, b) => (b[measure] > a[measure] ? b : a))
    const oldest = most.complete.pop()
    if (!oldest) break
    gone.push(oldest)
    most.bytes -= oldest.bytes
    most.count -= 1
    bytes -= oldest.bytes
    count -= 1
  }
  return gone
}

const ended = (stream: WriteStream) =>
  new Promise<void>((resolve) => {
    stream.on('error', () => resolve())
    stream.end(resolve)
  })

/** What is known of a file from its first and its last whole line; `undefined` when it is no recording of ours. */
async function readRecording(
  path: string,
  id: string,
  { headerBytes, tailBytes }: Pick<typeof recordingLimits, 'headerBytes' | 'tailBytes'>,
): Promise<StoredRecording | undefined> {
  const { size } = await stat(path)
  const file = await open(path)
  try {
    const head = await readAt(file, 0, Math.min(size, headerBytes))
    const { timestamp, wheelhouse } = parseLine(head.subarray(0, Math.max(0, head.indexOf(newline))))
    const { server_id, server_name, user_id, username, by_settings } = fieldsIn(wheelhouse)
    if (typeof timestamp !== 'number' || typeof server_id !== 'number' || typeof user_id !== 'number') return undefined
    const tail = await readAt(file, Math.max(0, size - tailBytes), Math.min(size, tailBytes))
    const end = tail.lastIndexOf(newline)
    const last = tail.subarray(tail.lastIndexOf(newline, end - 1) + 1, Math.max(0, end))
    return {
      id,
      server_id,
      server_name: String(server_name ?? ''),
      user_id,
      username: String(username ?? ''),
      by_settings: by_settings !== false,
      began: timestamp * 1000,
      seconds: timeOf(last),
      bytes: size - tail.length + end + 1,
      isRunning: false,
    }
  } finally {
    await file.close()
  }
}

async function readAt(file: Awaited<ReturnType<typeof open>>, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

function parseLine(line: Buffer): Values {
  try {
    return fieldsIn(JSON.parse(line.toString()))
  } catch {
    return {}
  }
}

/** The time of an event, `[1.5, "o", "…"]`; 0 where there is none. */
const timeOf = (line: Buffer): number => Number(/^\[(\d+(?:\.\d+)?),/.exec(line.toString('latin1', 0, 32))?.[1] ?? 0)
