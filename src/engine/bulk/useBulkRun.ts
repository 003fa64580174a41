import { useEffect, useRef, useState } from 'react'
import { useDataProvider, useRefresh } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { WriteMeta } from '../../records/writeRecords.ts'
import { newChangeGroup } from '../../undo/changeGroup.ts'
import { useScreen } from '../define/screen.ts'
import type { PlannedUpdate } from './planBulkEdit.ts'
import { runUpdates, type UpdateResult } from './runUpdates.ts'

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
  const [isStopping, setStopping] = useState(false)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const run = async (updates: readonly PlannedUpdate[]): Promise<UpdateResult[]> => {
    const controller = new AbortController()
    running.current = controller
    setStopping(false)
    const now: RunProgress = { total: updates.length, done: 0, failed: 0 }
    setProgress({ ...now })
    const results = await runUpdates(updates, {
      write: ({ record, data }) =>
        dataProvider.update(entity.name, {
          id: record.id,
          data,
          previousData: record,
          meta: { changeGroup, isOneOfMany: true } satisfies WriteMeta,
        }),
      signal: controller.signal,
      onResult: ({ outcome }) => {
        now.done += 1
        if (outcome !== 'changed') now.failed += 1
        setProgress({ ...now })
      },
    })
    await dataProvider.clearLists(entity.name)
    setProgress(undefined)
    refresh()
    return results
  }

  const stop = () => {
    running.current?.abort()
    setStopping(true)
  }

  return { run, stop, progress, isStopping }
}
