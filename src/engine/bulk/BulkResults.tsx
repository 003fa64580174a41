import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import LinearProgress from '@mui/material/LinearProgress'
import { useId } from 'react'
import { LinkBase } from 'react-admin'
import { useScreen } from '../define/screen.ts'
import { useUndoLink } from '../define/useUndoLink.ts'
import { FieldValue } from '../history/FieldValue.tsx'
import { NamedRows } from './NamedRows.tsx'
import type { UpdateResult } from './runUpdates.ts'

interface RunningUpdatesProps {
  done: number
  failed: number
  total: number
  isStopping: boolean
  onStop: () => void
}

/** The third step: how far it is. */
export function RunningUpdates({ done, failed, total, isStopping, onStop }: RunningUpdatesProps) {
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
        <Button onClick={onStop} disabled={isStopping} autoFocus>
          {translate(isStopping ? 'app.bulk.stopping' : 'app.bulk.stop')}
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
export function BulkResults({ results, onReview, onClose }: BulkResultsProps) {
  const { entity, texts, translate } = useScreen()
  const of = <Outcome extends UpdateResult['outcome']>(outcome: Outcome) =>
    results.filter((result): result is Extract<UpdateResult, { outcome: Outcome }> => result.outcome === outcome)
  const changed = of('changed')
  const undo = useUndoLink()('update')
  const caption = (outcome: UpdateResult['outcome'], smart_count: number) =>
    translate(`app.bulk.outcome.${outcome}`, { smart_count })
  const rest = results.length - changed.length
  return (
    <>
      <DialogContent dividers>
        <p role="status" style={{ margin: 0 }}>
          {translate('app.bulk.changed', { what: texts.counted(changed.length) })}{' '}
          {rest > 0 ? translate('app.bulk.problems', { smart_count: rest }) : null}
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
