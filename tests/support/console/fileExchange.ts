import { afterEach, beforeEach, vi } from 'vitest'
import { FileExchange } from '../../../src/custom/files/transfer/fileExchange.ts'
import { FileFailure } from '../../../src/custom/files/transfer/fileFailure.ts'
import { FakeConnection } from '../fakes/fakeConnection.ts'
import { type RecordedMessage, readSocketRecording } from '../recorded/socketRecording.ts'

export const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

type Exchange = ReturnType<typeof openExchange>

/** A new file session for each test, on fake timers. `reopen` makes another one within a test. */
export function exchangeOfEachTest() {
  const exchange: Exchange & { reopen(announcesReady?: boolean): void } = {
    ...openExchange(false),
    reopen: (announcesReady = false) => void Object.assign(exchange, openExchange(announcesReady)),
  }
  beforeEach(() => {
    vi.useFakeTimers()
    exchange.reopen()
  })
  afterEach(() => vi.useRealTimers())
  return exchange
}

/** A file session whose far end is played by the test. */
function openExchange(announcesReady: boolean) {
  const ends: string[] = []
  const connection = new FakeConnection()
  const files = new FileExchange({ url: 'ws://test', announcesReady }, connection.open, ({ failure }) =>
    ends.push(failure.code),
  )
  return {
    connection,
    files,
    /** The codes with which it has ended. */
    ends,
    /** The far end says what the real server said after each of the requests, which are returned. */
    replay: (recording: string) => replay(connection, recording),
  }
}

function replay(connection: FakeConnection, recording: string): RecordedMessage[] {
  const messages = readSocketRecording(recording).filter(({ opcode }) => opcode === 'binary')
  connection.answer(() => {
    messages.shift()
    const replies: RecordedMessage[] = []
    while (messages[0]?.dir === 'in') replies.push(messages.shift() as RecordedMessage)
    void (async () => {
      for (const reply of replies) await connection.sendToPage(frameOf(reply))
    })()
  })
  return messages.filter(({ dir }) => dir === 'out')
}

/** The frame of a recording; of long ones all but the beginning is made up. */
function frameOf({ hex: whole, hex_head: head = '', length = 0 }: RecordedMessage): Uint8Array {
  if (whole !== undefined) return Buffer.from(whole, 'hex')
  const frame = new Uint8Array(length)
  frame.set(Buffer.from(head, 'hex'))
  return frame
}

/** What an operation has failed with; `undefined` when it has not. */
export const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error) => (error instanceof FileFailure ? error.failure : error),
  )
