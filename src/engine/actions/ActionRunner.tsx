import Alert from '@mui/material/Alert'
import { createContext, type ReactNode, Suspense, use, useEffect, useMemo, useRef, useState } from 'react'
import {
  type Identifier,
  type RaRecord,
  useDataProvider,
  useDeleteMany,
  useEvent,
  useListContext,
  useNavigate,
  useRefresh,
  useTranslate,
} from 'react-admin'
import { isolate } from '../../../i18n/isolate.ts'
import { contentId } from '../../components/SkipLink.tsx'
import { useLostConnection } from '../../components/useLostConnection.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { WriteMeta } from '../../records/writeRecords.ts'
import type { Entity } from '../../schemas/define/entity.ts'
import { isRestorable } from '../../undo/restorable.ts'
import { type BulkAction, type DialogAction, opensDialog, type RowAction } from '../define/action.ts'
import { AnnouncedFeaturesContext } from '../define/page.tsx'
import { type Screen, useAddresses, useScreen, useUndoLink } from '../define/screen.ts'
import { useToast } from '../parts/ActionDialog.tsx'
import { lazyPart } from '../parts/lazyPart.tsx'
import { MoreNames } from '../parts/MoreNames.tsx'
import { useFindReferring, useUsedBy } from './useUsedBy.ts'

const BulkEditDialog = lazyPart(() => import('../bulk/BulkEditDialog.tsx'))
const ConfirmDialog = lazyPart(() => import('./ConfirmDialog.tsx'))
const LostSecrets = lazyPart(() => import('./LostSecrets.tsx'))

type Startable = RowAction | BulkAction
type StartAction = (action: Startable, records: readonly RaRecord[], kind: 'row' | 'bulk', filteredOut?: number) => void

/** An action that calls the server. */
interface Request {
  action: Exclude<Startable, DialogAction | 'edit'>
  records: readonly RaRecord[]
  kind: 'row' | 'bulk'
  /** How many of the records the list's search and filters no longer match. */
  filteredOut: number
}

interface OpenDialog {
  Dialog: DialogAction['Dialog']
  records: readonly RaRecord[]
}

const RunnerContext = createContext<StartAction>(() => {})

/** Starts an action on records: opens its dialog, or asks for confirmation where it must, calls and reports. */
export const useStartAction = () => use(RunnerContext)

/**
 * Runs the actions of a list's rows and of its selection. A confirmation stays open until the call has succeeded.
 * @param isOnPage whether this is the page of a record: its dialogs open over it, as their addresses belong to the list
 */
export function ActionRunner({ children, isOnPage = false }: { children: ReactNode; isOnPage?: boolean }) {
  const screen = useScreen()
  const announced = use(AnnouncedFeaturesContext)
  const { DeleteDialog } = screen
  const { data = [] } = useListContext()
  const lost = useLostConnection()
  const onPage = new Set(data.map(({ id }) => id))
  const run = useRun()
  const navigate = useNavigate()
  const addresses = useAddresses()
  const [toConfirm, setToConfirm] = useState<Request>()
  const [openDialog, setOpenDialog] = useState<OpenDialog>()
  const [underway, setUnderway] = useState<readonly Request[]>([])
  const [late, setLate] = useState<Request>()
  const [deletions, setDeletions] = useState(0)
  const perform = useEvent(async (request: Request) => {
    setUnderway((requests) => [...requests, request])
    setLate(undefined)
    if (await run(request, () => setLate(request))) {
      // Another question may be open by now.
      setToConfirm((asked) => (asked === request ? undefined : asked))
      if (request.action === 'delete') setDeletions((count) => count + 1)
    }
    setUnderway((requests) => requests.filter((one) => one !== request))
  })
  useEffect(() => {
    // What had the focus has gone with the records.
    if (deletions > 0 && document.activeElement === document.body) document.getElementById(contentId)?.focus()
  }, [deletions])
  const start = useMemo<StartAction>(
    () =>
      (action, records, kind, filteredOut = 0) => {
        const [first] = records
        if (opensDialog(action) && action.address && first && !isOnPage) {
          return navigate(addresses.dialog(first.id, action.address))
        }
        if (opensDialog(action)) return setOpenDialog({ Dialog: action.Dialog, records })
        if (action === 'edit') return setOpenDialog({ Dialog: BulkEditDialog, records })
        if (action === 'delete' && DeleteDialog) return setOpenDialog({ Dialog: DeleteDialog, records })
        const request = { action, records, kind, filteredOut }
        // What is on screen may be out of date.
        if (action === 'delete' || action.confirm || lost) setToConfirm(request)
        else void perform(request)
      },
    [perform, DeleteDialog, navigate, addresses, lost, isOnPage],
  )
  return (
    <RunnerContext value={start}>
      {children}
      {openDialog ? (
        <Suspense>
          <openDialog.Dialog records={openDialog.records} onClose={() => setOpenDialog(undefined)} />
        </Suspense>
      ) : null}
      {toConfirm ? (
        <Suspense>
          <ConfirmDialog
            {...questionOf(toConfirm, screen, announced)}
            records={toConfirm.records}
            filteredOut={toConfirm.filteredOut}
            onOtherPages={toConfirm.records.filter(({ id }) => !onPage.has(id)).length - toConfirm.filteredOut}
            busy={underway.includes(toConfirm)}
            isLate={late === toConfirm}
            onConfirm={() => perform(toConfirm)}
            onClose={() => setToConfirm(undefined)}
          >
            {toConfirm.action === 'delete' ? (
              <>
                {canUndo(screen.entity) ? <LostSecrets entity={screen.entity} records={toConfirm.records} /> : null}
                <UsedBy entity={screen.entity.name} ids={toConfirm.records.map(({ id }) => id)} />
              </>
            ) : null}
          </ConfirmDialog>
        </Suspense>
      ) : null}
    </RunnerContext>
  )
}

/** Whether a deletion can be taken back, which needs the browser's database. */
const canUndo = (entity: Entity) => globalThis.indexedDB !== undefined && isRestorable(entity)

function questionOf(
  { action, records }: Request,
  { entity, me, texts, translate }: Screen,
  announced: ReadonlySet<string> | undefined,
) {
  const what = texts.what(records)
  if (action === 'delete') {
    return {
      question: translate('app.confirm.delete_title', { what }),
      label: translate('app.confirm.delete_button', { what }),
      note: texts.deleteNote(announced),
      reversible: canUndo(entity)
        ? [translate(entity.api.reappearsBy ? 'app.confirm.reappears' : 'app.confirm.reversible')]
        : undefined,
    }
  }
  const warningArgs = action.warn?.(records, me)
  return {
    question: texts.action(action.action, action.confirm ? 'confirm' : 'label', what),
    // Asked only because the connection is lost, it says nothing of what follows.
    reversible: action.confirm && !action.isReversible ? undefined : [],
    label: texts.action(action.action, 'label', what),
    warning: warningArgs && {
      text: texts.warning(action.action, warningArgs),
      consent: texts.action(action.action, 'consent'),
    },
  }
}

/** Calls the server and reports the outcome. @returns whether it succeeded */
function useRun(): (request: Request, onLate: () => void) => Promise<boolean> {
  const { entity, texts } = useScreen()
  const addresses = useAddresses()
  const [deleteMany] = useDeleteMany()
  const { selectedIds, onSelect } = useListContext()
  // An event, because the selection may have changed by the time the call ends.
  const unselect = useEvent((ids: readonly Identifier[]) => {
    const processed = new Set(ids)
    onSelect(selectedIds.filter((id) => !processed.has(id)))
  })
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const refresh = useRefresh()
  const toast = useToast()
  const undoLink = useUndoLink()
  const findReferring = useFindReferring(entity.name)
  const underway = useRef(new Set<string>())
  return async ({ action, records, kind }, onLate) => {
    const ids = records.map(({ id }) => id)
    const what = texts.what(records)
    const order = [action === 'delete' ? action : action.action, ...ids].join()
    // Pressed again while nothing seems to happen, it is not ordered again.
    if (underway.current.has(order)) {
      toast.show({ key: 'app.toast.unanswered', type: 'info' })
      return false
    }
    underway.current.add(order)
    const answered = toast.awaitAnswer(onLate)
    try {
      if (action === 'delete') {
        const meta = { referrers: findReferring().map((one) => one.entity.name) } satisfies WriteMeta
        await deleteMany(entity.name, { ids, meta }, { returnPromise: true, mutationMode: 'pessimistic' })
        toast.show({ key: 'app.toast.deleted', args: { what }, link: undoLink('delete') })
      } else {
        const input = action.input?.(ids) ?? (kind === 'row' ? { id: ids[0] } : ids)
        const reply = await dataProvider.call(action.endpoint, input)
        const message = action.report?.(reply, records) ?? { key: texts.action(action.action, 'done', what) }
        const link = message.link &&
          records[0] && {
            to: addresses.dialog(records[0].id, message.link.address),
            labelKey: message.link.labelKey,
          }
        toast.show({ ...message, link })
        refresh()
      }
      unselect(ids)
      return true
    } catch (error) {
      toast.showError(error)
      return false
    } finally {
      answered()
      underway.current.delete(order)
    }
  }
}

const namesShown = 5

/** Lists what still refers to records that are about to be deleted; draws nothing when nothing does. */
function UsedBy({ entity, ids }: { entity: string; ids: readonly (number | string)[] }) {
  const translate = useTranslate()
  const { uses: ofRecords, singletons, isPartial } = useUsedBy(entity, ids)
  const uses = [...ofRecords, ...singletons.map((use) => ({ ...use, names: use.names.map((key) => translate(key)) }))]
  if (uses.length === 0 && !isPartial) return null
  return (
    <Alert severity="warning" sx={{ marginTop: 2 }}>
      {uses.length > 0 ? (
        <>
          {translate('app.confirm.used_by')}
          <ul style={{ margin: '4px 0 0', paddingLeft: 20, overflowWrap: 'anywhere' }}>
            {uses.map(({ title, names }) => {
              const more = names.length - namesShown
              const label = translate(title, { smart_count: names.length })
              return (
                <li key={title}>
                  {translate('app.confirm.used_entry', {
                    entity: label,
                    names: names.slice(0, namesShown).map(isolate).join(', '),
                  })}{' '}
                  {more > 0 ? (
                    <MoreNames label={label} names={() => names.map((name, id) => ({ id, name }))} count={more} />
                  ) : null}
                </li>
              )
            })}
          </ul>
        </>
      ) : null}
      {isPartial ? <div>{translate('app.confirm.usage_unknown')}</div> : null}
    </Alert>
  )
}
