import { useEffect, useRef, useState } from 'react'
import { HttpError, type RaRecord, useDataProvider, useRefresh } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { Conflict, WriteMeta } from '../../records/writeRecords.ts'
import { newChangeGroup } from '../../undo/changeGroup.ts'
import { useScreen } from '../define/screen.ts'
import type { PlannedUpdate } from './planBulkEdit.ts'

interface Running {
  /** Sends nothing more. */
  ending: AbortController
  /** Waits no longer for what was sent. */
  breaking: AbortController
}

/** How far a run is. */
export interface RunProgress {
  total: number
  done: number
  failed: number
}

/**
 * Writes planned updates and says how far it is. All runs of one dialog share a change group. A run whose dialog is gone
 * is stopped.
 */
export function useBulkRun() {
  const { entity } = useScreen()
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const refresh = useRefresh()
  const [changeGroup] = useState(newChangeGroup)
  const [progress, setProgress] = useState<RunProgress>()
  const running = useRef<Running>(undefined)
  useEffect(() => () => running.current?.ending.abort(), [])

  const run = async (updates: readonly PlannedUpdate[]): Promise<UpdateResult[]> => {
    const [ending, breaking] = [new AbortController(), new AbortController()]
    running.current = { ending, breaking }
    const now: RunProgress = { total: updates.length, done: 0, failed: 0 }
    setProgress({ ...now })
    const results = await runUpdates(updates, {
      write: ({ record, data }) =>
        dataProvider.update(entity.name, {
          id: record.id,
          data,
          previousData: record,
          meta: { changeGroup, isOneOfMany: true, signal: breaking.signal } satisfies WriteMeta,
        }),
      signal: ending.signal,
      onResult: ({ outcome }) => {
        now.done += 1
        if (outcome !== 'changed') now.failed += 1
        setProgress({ ...now })
      },
    })
    // Lists that refer to these may have to wait for the server.
    void dataProvider.clearLists(entity.name).then(refresh)
    setProgress(undefined)
    return results
  }

  const stop = () => {
    running.current?.ending.abort()
    running.current?.breaking.abort()
  }

  return { run, stop, progress }
}

/** Requests under way at the same time: others use the server too. */
const atOnce = 4

/** What became of one record. */
export type UpdateResult = { record: RaRecord } & (
  | { outcome: 'changed' }
  /** Somebody else has changed the same field since the preview: nothing was sent. */
  | { outcome: 'conflict'; conflict: Conflict; data: PlannedUpdate['data'] }
  | { outcome: 'failed'; message: string }
  /** Not sent, because the run was stopped. */
  | { outcome: 'stopped' }
  /** Sent, and not answered when the run was stopped. */
  | { outcome: 'unknown' }
)

interface RunOptions {
  /** Writes one record. Rejects with an `HttpError` of status 409 and a `Conflict` when somebody else was faster. */
  write: (update: PlannedUpdate) => Promise<unknown>
  /** When it is aborted, nothing more is sent; what is under way ends by itself. */
  signal: AbortSignal
  onResult: (result: UpdateResult) => void
}

/** Writes records, a few at a time, in their order. Never rejects. @returns the results, in the order of the updates */
export async function runUpdates(updates: readonly PlannedUpdate[], options: RunOptions): Promise<UpdateResult[]> {
  const { write, signal, onResult } = options
  const results: UpdateResult[] = updates.map(({ record }) => ({ record, outcome: 'stopped' }))
  const waiting = updates.entries()
  const work = async () => {
    for (const [index, update] of waiting) {
      if (signal.aborted) return
      const result = await write(update).then(
        (): UpdateResult => ({ record: update.record, outcome: 'changed' }),
        (error: unknown) => resultOf(error, update, signal),
      )
      results[index] = result
      onResult(result)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return results
}

function resultOf(error: unknown, { record, data }: PlannedUpdate, { aborted }: AbortSignal): UpdateResult {
  if (error instanceof HttpError && error.status === 409) {
    return { record, outcome: 'conflict', conflict: error.body as Conflict, data }
  }
  if (aborted && (error as Error | undefined)?.name === 'AbortError') return { record, outcome: 'stopped' }
  if (aborted && error instanceof HttpError && error.status === 0) return { record, outcome: 'unknown' }
  console.error(error)
  return { record, outcome: 'failed', message: (error instanceof Error && error.message) || 'app.toast.unexpected' }
}
