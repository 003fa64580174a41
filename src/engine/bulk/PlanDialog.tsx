import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import LinearProgress from '@mui/material/LinearProgress'
import { styled } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { type ReactNode, useId, useState } from 'react'
import { type Identifier, LinkBase, type RaRecord, useNotify } from 'react-admin'
import { useLosesSecrets, useScreen, useUndoLink } from '../define/screen.ts'
import { DiscardDialog, UnsavedChangesGuard } from '../form/DiscardDialog.tsx'
import { FieldValue, ValueChange } from '../history/FieldValue.tsx'
import type { BulkPlan, PlannedUpdate, Refusal } from './planBulkEdit.ts'
import { type UpdateResult, useBulkRun } from './useBulkRun.ts'

interface PlanDialogProps {
  title: string
  /** What is shown before it is written. */
  plan?: BulkPlan
  /** Shown while there is no plan. */
  children?: ReactNode
  /** Whether closing would lose something that was entered. */
  isUnsaved?: boolean
  onBack: () => void
  /** Plans anew for the records that were not written, as they are now. */
  onReview: (ids: readonly Identifier[]) => Promise<void>
  onClose: () => void
}

/** Writes to many records: a preview, then a few writes at a time, then results by name. Fills narrow screens. */
export function PlanDialog({ title, plan, children, isUnsaved = false, onBack, onReview, onClose }: PlanDialogProps) {
  const titleId = useId()
  const isNarrow = useMediaQuery('(max-width: 600px)', { noSsr: true })
  const notify = useNotify()
  const [results, setResults] = useState<readonly UpdateResult[]>()
  const [isLeaving, setLeaving] = useState(false)
  const { run, stop, progress } = useBulkRun()
  const mustAsk = isUnsaved && !results
  const review = async (of: readonly UpdateResult[]) => {
    try {
      // A failed write may have arrived all the same, and others may have changed the record.
      await onReview(of.flatMap(({ outcome, record }) => (outcome === 'changed' ? [] : [record.id])))
      setResults(undefined)
    } catch (error) {
      notify((error instanceof Error && error.message) || 'app.toast.unexpected', { type: 'error' })
    }
  }
  const leave = () => {
    if (progress) return
    if (mustAsk) setLeaving(true)
    else onClose()
  }
  return (
    <Dialog
      open
      onClose={leave}
      aria-labelledby={titleId}
      fullScreen={isNarrow}
      fullWidth
      maxWidth={false}
      slotProps={{ paper: { sx: { maxWidth: isNarrow ? undefined : 760 } } }}
    >
      <DialogTitle id={titleId} sx={{ overflowWrap: 'anywhere' }}>
        {title}
      </DialogTitle>
      {progress ? (
        <RunningUpdates {...progress} onStop={stop} />
      ) : results ? (
        <BulkResults results={results} onReview={() => void review(results)} onClose={onClose} />
      ) : plan ? (
        <PreviewChanges plan={plan} onBack={onBack} onRun={() => void run(plan.updates).then(setResults)} />
      ) : (
        children
      )}
      {isLeaving ? <DiscardDialog onDiscard={onClose} onKeep={() => setLeaving(false)} /> : null}
      <UnsavedChangesGuard isDirty={() => mustAsk || progress !== undefined} />
    </Dialog>
  )
}

interface PreviewChangesProps {
  plan: BulkPlan
  onBack: () => void
  onRun: () => void
}

/** The second step: what will happen to which record, and what will be refused. */
function PreviewChanges({ plan: { updates, refusals, unchanged }, onBack, onRun }: PreviewChangesProps) {
  const { texts, translate } = useScreen()
  const what = texts.counted(updates.length)
  return (
    <>
      <DialogContent dividers>
        <div role="status">
          {updates.length > 0 ? translate('app.bulk.will_change', { what }) : translate('app.bulk.nothing_changes')}{' '}
          {unchanged.length > 0
            ? translate('app.bulk.stay', { what: texts.counted(unchanged.length), smart_count: unchanged.length })
            : null}
        </div>
        <NamedRows caption={translate('app.bulk.refusals', { smart_count: refusals.length })} rows={refusals}>
          {(refusal) => <Reasons {...refusal} />}
        </NamedRows>
        <NamedRows caption={translate('app.bulk.changes', { smart_count: updates.length })} rows={updates}>
          {(update) => <Changes {...update} />}
        </NamedRows>
      </DialogContent>
      <DialogActions>
        <Button onClick={onBack}>{translate('app.bulk.back')}</Button>
        <Button variant="contained" disabled={updates.length === 0} onClick={onRun}>
          {translate('app.bulk.run', { what })}
        </Button>
      </DialogActions>
    </>
  )
}

function Reasons({ reasons }: Refusal) {
  const { texts, translate } = useScreen()
  return reasons.map(({ field, message, args }) => (
    <div key={`${field} ${message}`}>
      {field ? <small>{texts.label(field)}</small> : null}
      {translate(message, args)}
    </div>
  ))
}

function Changes({ before, data }: PlannedUpdate) {
  const { texts, translate } = useScreen()
  const losesSecrets = useLosesSecrets()
  return (
    <>
      {Object.entries(data).map(([name, value]) => (
        <div key={name}>
          <small>{texts.label(name)}</small>
          <ValueChange name={name} before={before[name]} after={value} />
        </div>
      ))}
      {losesSecrets(before, { ...before, ...data }) ? translate('app.form.bound_secret') : null}
    </>
  )
}

interface RunningUpdatesProps {
  done: number
  failed: number
  total: number
  onStop: () => void
}

/** The third step: how far it is. */
function RunningUpdates({ done, failed, total, onStop }: RunningUpdatesProps) {
  const { translate } = useScreen()
  const id = useId()
  return (
    <>
      <DialogContent dividers>
        <p id={id} role="status" style={{ margin: '0 0 8px' }}>
          {translate('app.bulk.progress', { done, total })}{' '}
          {failed > 0 ? translate('app.bulk.problems', { smart_count: failed }) : null}
        </p>
        <LinearProgress variant="determinate" value={(100 * done) / Math.max(total, 1)} aria-labelledby={id} />
      </DialogContent>
      <DialogActions>
        <Button onClick={onStop} autoFocus>
          {translate('app.bulk.stop')}
        </Button>
      </DialogActions>
    </>
  )
}

interface BulkResultsProps {
  results: readonly UpdateResult[]
  onReview: () => void
  onClose: () => void
}

/** The last step: what became of each record, first what did not go well. */
function BulkResults({ results, onReview, onClose }: BulkResultsProps) {
  const { entity, texts, translate } = useScreen()
  const of = <Outcome extends UpdateResult['outcome']>(outcome: Outcome) =>
    results.filter((result): result is Extract<UpdateResult, { outcome: Outcome }> => result.outcome === outcome)
  const changed = of('changed')
  const undo = useUndoLink()('update')
  const caption = (outcome: UpdateResult['outcome'], smart_count: number) =>
    translate(`app.bulk.outcome.${outcome}`, { smart_count })
  const unknown = of('unknown')
  const rest = results.length - changed.length
  const unchanged = rest - unknown.length
  return (
    <>
      <DialogContent dividers>
        <p role="status" style={{ margin: 0 }}>
          {translate('app.bulk.changed', { what: texts.counted(changed.length) })}{' '}
          {unchanged > 0 ? translate('app.bulk.problems', { smart_count: unchanged }) : null}
        </p>
        <NamedRows caption={caption('conflict', of('conflict').length)} rows={of('conflict')}>
          {({ conflict: { fields, fresh }, data }) =>
            fields.map((field) => (
              <div key={field}>
                <div>
                  <small>{`${texts.label(field)}, ${translate('app.conflict.theirs')}`}</small>
                  <FieldValue entity={entity} name={field} value={fresh[field]} />
                </div>
                <div>
                  <small>{`${texts.label(field)}, ${translate('app.conflict.mine')}`}</small>
                  <FieldValue entity={entity} name={field} value={data[field]} />
                </div>
              </div>
            ))
          }
        </NamedRows>
        <NamedRows caption={caption('failed', of('failed').length)} rows={of('failed')}>
          {({ message }) => translate(message, { _: message })}
        </NamedRows>
        <NamedRows caption={caption('unknown', unknown.length)} rows={unknown}>
          {() => translate('app.toast.unanswered')}
        </NamedRows>
        <NamedRows caption={caption('stopped', of('stopped').length)} rows={of('stopped')}>
          {() => translate('app.bulk.not_sent')}
        </NamedRows>
        <NamedRows caption={caption('changed', changed.length)} rows={changed}>
          {() => translate('app.bulk.saved')}
        </NamedRows>
      </DialogContent>
      <DialogActions>
        {rest > 0 ? (
          <Button onClick={onReview}>{translate('app.bulk.review_rest', { smart_count: rest })}</Button>
        ) : null}
        {undo && changed.length > 0 ? (
          <Button component={LinkBase} to={undo.to} state={undo.state}>
            {translate('app.action.undo')}
          </Button>
        ) : null}
        <Button variant="contained" onClick={onClose} autoFocus>
          {translate('app.action.close')}
        </Button>
      </DialogActions>
    </>
  )
}

/** Rows that are drawn at once: ten thousand would take seconds. */
const rowsAtOnce = 100

const Table = styled('table')(({ theme }) => ({
  width: '100%',
  tableLayout: 'fixed',
  borderCollapse: 'collapse',
  fontSize: 13,
  '& caption': { padding: theme.spacing(1, 0), textAlign: 'left', fontWeight: 600 },
  '& th, & td': {
    padding: theme.spacing(0.75, 1, 0.75, 0),
    borderTop: `1px solid ${theme.vars.palette.divider}`,
    textAlign: 'left',
    verticalAlign: 'top',
    overflowWrap: 'anywhere',
  },
  '& th': { width: '34%', fontWeight: 400 },
  '& small': { marginRight: theme.spacing(1), fontSize: 13, color: theme.vars.palette.text.secondary },
}))

interface NamedRowsProps<Row> {
  caption: string
  rows: readonly Row[]
  children: (row: Row) => ReactNode
}

/** A table by the names of records, of which a hundred are shown at first. */
function NamedRows<Row extends { record: RaRecord }>({ caption, rows, children }: NamedRowsProps<Row>) {
  const { texts, translate } = useScreen()
  const [shown, setShown] = useState(rowsAtOnce)
  if (rows.length === 0) return null
  return (
    <>
      <Table>
        <caption>{caption}</caption>
        <tbody>
          {rows.slice(0, shown).map((row) => (
            <tr key={row.record.id}>
              <th scope="row">{texts.nameOf(row.record)}</th>
              <td>{children(row)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      {rows.length > shown ? (
        <Button size="small" onClick={() => setShown(shown + rowsAtOnce)}>
          {translate('app.bulk.more_rows', { shown, total: rows.length })}
        </Button>
      ) : null}
    </>
  )
}
