import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { type AuditLine, openAuditLog } from '../../../server/audit/auditLog.ts'
import { createLiveTerminals, createOutputHistories } from '../../../server/sessions/liveTerminals.ts'
import { createRecorder } from '../../../server/sessions/recorder.ts'
import { createRecordingFiles, recordingLimits } from '../../../server/sessions/recordingFiles.ts'
import { createStreamSessions } from '../../../server/sessions/sessions.ts'
import { roles } from '../../../src/schemas/define/access.ts'
import { createTestHost } from '../../support/server/testHost.ts'

/** A terminal that is recorded because of the settings, before its shell has printed anything. */
async function recordedTerminal(bytes = recordingLimits.bytes) {
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-recorder-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const lines: AuditLine[] = []
  const audit = openAuditLog({ lines })
  const recorder = createRecorder({
    files: createRecordingFiles(folder, Date.now, { ...recordingLimits, bytes }),
    settings: () => ({ which: 'all', servers: {}, keptMs: 86_400_000 }),
    audit,
    log: { error: vi.fn() },
    now: Date.now,
  })
  const sessions = createStreamSessions({ audit, now: Date.now, holdMs: () => 0 })
  const person = { id: 2, username: 'member', role: roles.user }
  const server = { id: 1, name: 'box', ownerId: 2 }
  const session = sessions.create('terminal', { person, address: '', server, host: createTestHost() })
  const terminal = createLiveTerminals(createOutputHistories()).open(session)
  recorder.started(terminal)
  const print = (text: string) => terminal.add(Buffer.from(text))
  async function cast(): Promise<string> {
    await recorder.settled()
    const [name = ''] = readdirSync(folder)
    return readFileSync(join(folder, name), 'utf8')
  }
  return { session, print, cast, lines }
}

it('a terminal that has ended before there was a file is recorded all the same', async () => {
  const { session, print, cast, lines } = await recordedTerminal()
  print('all of it')
  session.end('exited')
  expect(await cast()).toContain('"o","all of it"]')
  expect(lines.map(({ action }) => action)).toEqual(['recording.end', 'recording.begin'])
})

it('a recording that is full ends there: nothing shorter follows on the gap', async () => {
  const { session, print, cast } = await recordedTerminal(600)
  print('x'.repeat(32 * 1024 - 1))
  print(`y${'short'.repeat(2)}`)
  session.end('exited')
  const text = await cast()
  expect(text).not.toMatch(/xxx|short/)
  expect(text.split('\n')).toHaveLength(2)
})
