import { createContext, type ReactNode, Suspense, use, useMemo, useState } from 'react'
import {
  type Identifier,
  type RaRecord,
  useDataProvider,
  useDeleteMany,
  useEvent,
  useListContext,
  useRefresh,
} from 'react-admin'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import type { BulkAction, RowAction } from '../define/defineResource.ts'
import { type Screen, useScreen } from '../define/screen.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { UsedBy } from './UsedBy.tsx'
import { useReport } from './useReport.ts'

type Runnable = Exclude<RowAction | BulkAction, 'edit'>
type Start = (action: Runnable, records: readonly RaRecord[], kind: 'row' | 'bulk', filteredOut?: number) => void

interface Request {
  action: Runnable
  records: readonly RaRecord[]
  kind: 'row' | 'bulk'
  /** How many of the records the list's search and filters do not let through any more. */
  filteredOut: number
}

const RunnerContext = createContext<Start>(() => {})

/** Starts an action of the definition on records: asks first where it must, then calls and reports. */
export const useStartAction = () => use(RunnerContext)

/** Runs the actions of a list's rows and of its selection. A question stays open until the call has succeeded. */
export function ActionRunner({ children }: { children: ReactNode }) {
  const screen = useScreen()
  const { data = [] } = useListContext()
  const onPage = new Set(data.map(({ id }) => id))
  const run = useRun()
  const [asked, setAsked] = useState<Request>()
  const [busy, setBusy] = useState(false)
  const perform = useEvent(async (request: Request) => {
    setBusy(true)
    if (await run(request)) setAsked(undefined)
    setBusy(false)
  })
  const start = useMemo<Start>(
    () =>
      (action, records, kind, filteredOut = 0) => {
        const request = { action, records, kind, filteredOut }
        if (action === 'delete' || action.confirm || action.Dialog) setAsked(request)
        else void perform(request)
      },
    [perform],
  )
  const Dialog = asked && asked.action !== 'delete' ? asked.action.Dialog : undefined
  return (
    <RunnerContext value={start}>
      {children}
      {Dialog && asked ? (
        <Suspense>
          <Dialog records={asked.records} onClose={() => setAsked(undefined)} />
        </Suspense>
      ) : asked ? (
        <ConfirmDialog
          {...questionOf(asked, screen)}
          records={asked.records}
          filteredOut={asked.filteredOut}
          elsewhere={asked.records.filter(({ id }) => !onPage.has(id)).length - asked.filteredOut}
          busy={busy}
          onConfirm={() => perform(asked)}
          onCancel={() => setAsked(undefined)}
        >
          {asked.action === 'delete' ? (
            <UsedBy entity={screen.entity.name} ids={asked.records.map(({ id }) => id)} />
          ) : null}
        </ConfirmDialog>
      ) : null}
    </RunnerContext>
  )
}

function questionOf({ action, records }: Request, { me, texts, translate }: Screen) {
  const what = texts.what(records)
  if (action === 'delete') {
    return {
      question: translate('app.confirm.delete_title', { what }),
      label: translate('app.confirm.delete_button', { what }),
      note: texts.deleteNote,
    }
  }
  const caution = action.caution?.(records, me)
  return {
    question: texts.action(action.action, 'confirm', what),
    label: texts.action(action.action, 'label', what),
    warning: caution && {
      text: texts.warning(action.action, caution),
      consent: texts.action(action.action, 'consent'),
    },
  }
}

/** Calls, and says how it went. @returns whether it went well */
function useRun(): (request: Request) => Promise<boolean> {
  const { entity, texts, translate } = useScreen()
  const [deleteMany] = useDeleteMany()
  const { selectedIds, onSelect } = useListContext()
  // What is selected when the call has ended: it may take a while.
  const unselect = useEvent((ids: readonly Identifier[]) => {
    const done = new Set(ids)
    onSelect(selectedIds.filter((id) => !done.has(id)))
  })
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const refresh = useRefresh()
  const report = useReport()
  return async ({ action, records, kind }) => {
    const ids = records.map(({ id }) => id)
    const what = texts.what(records)
    try {
      if (action === 'delete') {
        await deleteMany(entity.name, { ids }, { returnPromise: true, mutationMode: 'pessimistic' })
        report.say({ key: 'app.toast.deleted', args: { what } })
      } else {
        const input = action.input?.(ids) ?? (kind === 'row' ? { id: ids[0] } : ids)
        const reply = await dataProvider.call(action.endpoint, input)
        report.say(
          action.report?.(reply, {
            translate,
            nameOf: (id) => texts.nameOf(records.find((record) => record.id === id) ?? { id }),
          }) ?? { key: texts.action(action.action, 'done', what) },
        )
        refresh()
      }
      unselect(ids)
      return true
    } catch (error) {
      report.failure(error)
      return false
    }
  }
}
