import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useTranslate } from 'react-admin'
import type { ConfigOutcome } from './configRequests.ts'

interface ConfigResultsProps {
  outcomes: readonly ConfigOutcome[]
  nameOf: (id: number) => string
  onRetry: (failed: number[]) => void
  onClose: () => void
}

/** The outcome per server, with a button that retries the failed ones. */
export function ConfigResults({ outcomes, nameOf, onRetry, onClose }: ConfigResultsProps) {
  const translate = useTranslate()
  const failed = outcomes.filter(isFailure).map(({ id }) => id)
  const outcomeText = (outcome: ConfigOutcome) =>
    outcome.state === 'failed' ? translate(outcome.reason) : translate(`app.server_config.outcome.${outcome.state}`)
  return (
    <>
      <DialogContent dividers>
        <Typography role="status" gutterBottom>
          {translate('app.server_config.results', { done: outcomes.length - failed.length, total: outcomes.length })}
        </Typography>
        <List>
          {outcomes.map((outcome) => (
            <li key={outcome.id} data-failed={isFailure(outcome)}>
              <strong>{nameOf(outcome.id)}</strong>
              <span>{outcomeText(outcome)}</span>
            </li>
          ))}
        </List>
      </DialogContent>
      <DialogActions>
        {failed.length > 0 ? (
          <Button onClick={() => onRetry(failed)}>
            {translate('app.server_config.retry', { smart_count: failed.length })}
          </Button>
        ) : null}
        <Button variant="contained" onClick={onClose}>
          {translate('app.action.close')}
        </Button>
      </DialogActions>
    </>
  )
}

const isFailure = ({ state }: ConfigOutcome) => state === 'failed' || state === 'offline'

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  fontSize: 13,
  '& li': {
    display: 'flex',
    flexWrap: 'wrap',
    justifyContent: 'space-between',
    gap: theme.spacing(0.5, 2),
    padding: theme.spacing(0.75, 0),
    borderTop: `1px solid ${theme.vars.palette.divider}`,
    overflowWrap: 'anywhere',
  },
  '& li[data-failed=true] span': { color: theme.vars.palette.error.main },
}))
