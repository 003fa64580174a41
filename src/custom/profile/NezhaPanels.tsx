import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Link from '@mui/material/Link'
import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, Suspense, useId, useState } from 'react'
import { HttpError, useDataProvider, useLocaleState, useTranslate } from 'react-admin'
import { formatDateTime } from '../../components/format/format.ts'
import { Panel, PlainTable } from '../../components/Panel.tsx'
import { useSetting } from '../../components/useSetting.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { markMissing, useMissing } from '../../engine/define/page.tsx'
import { useNames } from '../../engine/kinds/reference/useNames.tsx'
import { PendingData, useToast } from '../../engine/parts/ActionDialog.tsx'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import { useUserName } from '../../resources/user/names.ts'
import type { ApiToken } from '../../schemas/account/apiToken.ts'
import type { Profile } from '../../schemas/account/profile.ts'
import { roles } from '../../schemas/define/access.ts'
import type { Endpoint, ReplyOf } from '../../schemas/define/endpoint.ts'
import { nezhaEndpoints } from '../../schemas/endpoints/nezhaEndpoints.ts'
import { type Transfer, transferStates } from '../../schemas/machines/transfer.ts'

const ApiTokenDialog = lazyPart(() => import('./ApiTokenDialog.tsx'))

/** The user's own API tokens: list, create, revoke. @param role decides which scopes are offered */
export function ApiTokens({ role }: { role: number }) {
  const translate = useTranslate()
  const [locale] = useLocaleState()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  const list = useNezhaList(nezhaEndpoints.apiTokens)
  const tokens = list.data ?? []
  const nameOf = useNames(
    'server',
    tokens.flatMap(({ server_ids }) => server_ids ?? []),
  )
  const [isCreating, setCreating] = useState(false)
  // Nezha servers have no such page.
  const hasDocs = useSetting()?.wheelhouse !== undefined
  const [revoked, setRevoked] = useState<ApiToken>()
  const at = (moment: string | null | undefined, none: string) =>
    moment ? formatDateTime(Date.parse(moment), locale) : none

  const revoke = async ({ id, name }: ApiToken) => {
    try {
      await call(nezhaEndpoints.deleteApiToken, { id })
      toast.show({ key: 'app.tokens.revoked', args: { name } })
      setRevoked(undefined)
    } catch (error) {
      toast.showError(error)
    }
    await list.refetch()
  }

  return (
    <NezhaPanel
      title={translate('app.tokens.title')}
      hint={translate('app.tokens.hint')}
      list={list}
      action={
        <Button variant="outlined" onClick={() => setCreating(true)}>
          {translate('app.tokens.create')}
        </Button>
      }
    >
      {hasDocs ? (
        <p>
          <Link href="/api/docs" target="_blank">
            {translate('app.tokens.docs')}
          </Link>
        </p>
      ) : null}
      {tokens.length === 0 ? <p>{translate('app.tokens.none')}</p> : null}
      {tokens.length > 0 ? (
        <PlainTable
          headings={[
            ...['name', 'scopes', 'server_ids', 'expires_at', 'last_used_at'].map((field) =>
              translate(`app.tokens.fields.${field}`),
            ),
            '',
          ]}
          rows={tokens.map((token) => ({
            key: token.id,
            cells: [
              token.name,
              <code key="scopes">{(token.scopes ?? []).join(' ')}</code>,
              token.server_ids?.length ? token.server_ids.map(nameOf).join(', ') : translate('app.tokens.all'),
              at(token.expires_at, translate('app.tokens.never_expires')),
              `${at(token.last_used_at, translate('app.duration.never'))} ${token.last_used_ip ?? ''}`.trim(),
              <Button
                key="revoke"
                color="error"
                aria-label={translate('app.tokens.revoke_named', { name: token.name })}
                onClick={() => setRevoked(token)}
              >
                {translate('app.tokens.revoke')}
              </Button>,
            ],
          }))}
        />
      ) : null}
      {isCreating ? (
        <Suspense>
          <ApiTokenDialog role={role} onCreated={() => void list.refetch()} onClose={() => setCreating(false)} />
        </Suspense>
      ) : null}
      {revoked ? (
        <RevokeTokenDialog
          name={revoked.name}
          onConfirm={() => revoke(revoked)}
          onCancel={() => setRevoked(undefined)}
        />
      ) : null}
    </NezhaPanel>
  )
}

interface RevokeTokenDialogProps {
  name: string
  onConfirm: () => Promise<void>
  onCancel: () => void
}

/** Asks for confirmation before a token is revoked. */
function RevokeTokenDialog({ name, onConfirm, onCancel }: RevokeTokenDialogProps) {
  const translate = useTranslate()
  const titleId = useId()
  const [isBusy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    await onConfirm()
    setBusy(false)
  }
  return (
    <Dialog open role="alertdialog" aria-labelledby={titleId} maxWidth="xs" onClose={onCancel}>
      <DialogTitle id={titleId}>{translate('app.tokens.revoke_title', { name })}</DialogTitle>
      <DialogContent>
        {translate('app.confirm.irreversible')} {translate('app.tokens.revoke_note')}
      </DialogContent>
      <DialogActions>
        <Button onClick={onCancel} autoFocus>
          {translate('app.action.cancel')}
        </Button>
        <Button color="error" variant="contained" loading={isBusy} onClick={confirm}>
          {translate('app.tokens.revoke')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

type StateName = (typeof transferStates)[keyof typeof transferStates]

const stateOf = ({ status }: Transfer) => (transferStates as Record<number, StateName | undefined>)[status]

/** Transfers of servers from one owner to another. */
export function ServerTransfers({ profile }: { profile: Profile }) {
  const translate = useTranslate()
  const [locale] = useLocaleState()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  const list = useNezhaList(nezhaEndpoints.transfers)
  const transfers = list.data ?? []
  const serverName = useNames(
    'server',
    transfers.map(({ server_id }) => server_id),
  )
  const isAdmin = profile.role === roles.admin

  const order = async (endpoint: Endpoint, id: number, key: string) => {
    try {
      await call(endpoint, { id })
      toast.show({ key })
    } catch (error) {
      toast.showError(error)
    }
    await list.refetch()
  }

  return (
    <NezhaPanel
      title={translate('app.transfers.title')}
      hint={translate('app.transfers.hint')}
      list={list}
      action={
        <Button color="inherit" onClick={() => list.refetch()}>
          {translate('app.list.refresh')}
        </Button>
      }
    >
      {transfers.length === 0 ? <p>{translate('app.transfers.none')}</p> : null}
      {transfers.length > 0 ? (
        <PlainTable
          headings={[
            ...['server', 'from', 'to', 'state', 'started'].map((field) => translate(`app.transfers.fields.${field}`)),
            '',
          ]}
          rows={transfers.map((transfer) => {
            const state = stateOf(transfer)
            const mayCancel = state === 'pending' && (isAdmin || transfer.from_user_id === profile.id)
            const name = serverName(transfer.server_id)
            return {
              key: transfer.id,
              cells: [
                name,
                <UserName key="from" id={transfer.from_user_id} />,
                <UserName key="to" id={transfer.to_user_id} />,
                <Fragment key="state">
                  {state ? translate(`app.transfers.states.${state}`) : transfer.status}
                  {transfer.last_error ? <div>{transfer.last_error}</div> : null}
                </Fragment>,
                transfer.created_at ? formatDateTime(Date.parse(transfer.created_at), locale) : '–',
                <Fragment key="actions">
                  {mayCancel ? (
                    <Button
                      aria-label={translate('app.transfers.cancel_named', { name })}
                      onClick={() => order(nezhaEndpoints.cancelTransfer, transfer.id, 'app.transfers.cancelled')}
                    >
                      {translate('app.transfers.cancel')}
                    </Button>
                  ) : null}
                  {isAdmin && (state === 'failed' || state === 'timeout' || state === 'cancelled') ? (
                    <Button
                      aria-label={translate('app.transfers.retry_named', { name })}
                      onClick={() => order(nezhaEndpoints.retryTransfer, transfer.id, 'app.transfers.retried')}
                    >
                      {translate('app.list.retry')}
                    </Button>
                  ) : null}
                </Fragment>,
              ],
            }
          })}
        />
      ) : null}
    </NezhaPanel>
  )
}

/** User 0: servers that registered with the secret of the whole site. */
function UserName({ id }: { id: number }) {
  const translate = useTranslate()
  const name = useUserName(id || undefined)
  return id === 0 ? translate('app.transfers.nobody') : name
}

interface NezhaPanelProps {
  title: string
  hint: string
  /** The result of `useNezhaList`. */
  list: {
    isMissing: boolean
    isOpen: boolean
    open: () => void
    data: unknown
    error: Error | null
    refetch: () => unknown
  }
  action?: ReactNode
  children: ReactNode
}

/** A section for a list that only some Nezha servers have: closed at first, and hidden if the server does not have it. */
function NezhaPanel({ title, hint, list, action, children }: NezhaPanelProps) {
  const translate = useTranslate()
  if (list.isMissing) return null
  const show = (
    <Button variant="outlined" color="inherit" onClick={list.open}>
      {translate('app.nezha.show', { what: title })}
    </Button>
  )
  return (
    <Panel title={title} hint={hint} action={list.isOpen ? action : show}>
      {list.isOpen ? <PendingData data={list.data} error={list.error} onRetry={list.refetch} /> : null}
      {list.data ? children : null}
    </Panel>
  )
}

/**
 * A list that only some Nezha servers have, requested when it is opened. After a 404 a message says that this server does
 * not have it, and the list is hidden until the page is loaded again.
 */
function useNezhaList<E extends Endpoint>(endpoint: E) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  const isMissing = useMissing()(endpoint)
  const [isOpen, setOpen] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['nezha', endpoint.path],
    queryFn: async (): Promise<ReplyOf<E> | null> => {
      try {
        return await call(endpoint)
      } catch (failure) {
        if (!(failure instanceof HttpError) || failure.status !== 404) throw failure
        toast.show({ key: 'app.nezha.missing', type: 'info' })
        markMissing(endpoint)
        return null
      }
    },
    enabled: isOpen && !isMissing,
  })
  return { isMissing, isOpen, open: () => setOpen(true), data: data ?? undefined, error, refetch }
}
