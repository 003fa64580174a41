import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { styled } from '@mui/material/styles'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useDataProvider, useLocaleState, useTranslate } from 'react-admin'
import { formatDateTime } from '../../components/format/format.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { ActionDialogProps } from '../../engine/define/action.ts'
import { useScreen } from '../../engine/define/screen.ts'
import { useNames } from '../../engine/kinds/reference/useNames.tsx'
import { ActionDialog, PendingData, useToast } from '../../engine/parts/ActionDialog.tsx'
import type { DdnsResult } from '../../schemas/endpoints/ddnsResult.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { useDdnsSummaries } from './useDdnsSummaries.ts'

/** The domain names of a DDNS profile: their servers, addresses and errors. They can be sent again. */
export default function DdnsNamesDialog({ records, onClose }: ActionDialogProps) {
  const { texts, translate } = useScreen()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  const queries = useQueryClient()
  const [isSending, setSending] = useState(false)
  const id = Number(records[0]?.id)
  // The server may send fewer names than there are.
  const total = useDdnsSummaries()?.find(({ profile_id }) => profile_id === id)?.names ?? 0
  const { data, error, refetch } = useQuery({
    queryKey: ['ddns', 'names', id],
    queryFn: () => call(endpoints.ddnsResults, { id }),
    refetchInterval: ({ state }) => (state.data?.some((name) => name.state === 'waiting') ? 2000 : 10_000),
  })

  const send = async () => {
    setSending(true)
    try {
      await call(endpoints.updateDdns, { id })
      await queries.invalidateQueries({ queryKey: ['ddns'] })
    } catch (failure) {
      toast.showError(failure)
    }
    setSending(false)
  }

  return (
    <ActionDialog title={translate('app.ddns.title', { what: texts.what(records) })} onClose={onClose}>
      <DialogContent dividers aria-busy={!data && !error}>
        <PendingData data={data} error={error} onRetry={refetch} />
        {data ? <Names names={data} total={total} /> : null}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('app.action.close')}</Button>
        <Button variant="contained" loading={isSending} disabled={!data?.some(canBeSent)} onClick={() => void send()}>
          {translate('resources.ddns.actions.send.label')}
        </Button>
      </DialogActions>
    </ActionDialog>
  )
}

const canBeSent = ({ state }: DdnsResult) => state !== 'no_address' && state !== 'offline'

function Names({ names, total }: { names: readonly DdnsResult[]; total: number }) {
  const translate = useTranslate()
  const nameOf = useNames(
    'server',
    names.map(({ server_id }) => server_id),
  )
  if (names.length === 0) return translate('app.ddns.how_to_use')
  return (
    <>
      {names.length < total ? <p>{translate('app.ddns.first_of', { shown: names.length, total })}</p> : null}
      <List>
        {names.map((name) => (
          <Name key={`${name.server_id} ${name.record} ${name.domain}`} name={name} server={nameOf(name.server_id)} />
        ))}
      </List>
    </>
  )
}

function Name({
  name: { domain, record, address, state, at, tries = 0, words },
  server,
}: {
  name: DdnsResult
  server: string
}) {
  const translate = useTranslate()
  const [locale] = useLocaleState()
  const isFinished = state === 'done' || state === 'failed'
  const statusParts = [
    translate(`app.ddns.states.${state}`, { _: state }),
    isFinished && at ? formatDateTime(Date.parse(at), locale) : '',
    state !== 'done' && tries > 0 ? translate('app.ddns.tries', { smart_count: tries }) : '',
  ]
  return (
    <li data-state={state}>
      <strong>{domain}</strong>
      <code>{record}</code>
      <span>
        {server}
        {address ? ` · ${address}` : null}
      </span>
      <em>{statusParts.filter(Boolean).join(' · ')}</em>
      {words && state !== 'done' ? <q>{words}</q> : null}
    </li>
  )
}

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  overflowWrap: 'anywhere',
  '& li': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'baseline',
    gap: theme.spacing(0.25, 1),
    paddingBlock: theme.spacing(1),
  },
  '& li + li': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& strong': { fontWeight: 600 },
  '& code': { fontSize: 12, color: theme.vars.palette.text.secondary },
  '& span': { color: theme.vars.palette.text.secondary },
  '& em': { width: '100%', fontSize: 13, fontStyle: 'normal', color: theme.vars.palette.text.secondary },
  '& li[data-state=failed] em': { color: theme.vars.palette.error.main },
  '& q': { width: '100%', fontSize: 13, quotes: 'none' },
}))
