import Button from '@mui/material/Button'
import { Fragment } from 'react'
import { useDataProvider, useLocaleState, useTranslate } from 'react-admin'
import { formatDateTime } from '../../components/format/format.ts'
import { PlainTable } from '../../components/PlainTable.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { useNames } from '../../engine/kinds/reference/useNames.ts'
import { useToast } from '../../engine/parts/useToast.ts'
import { useUserName } from '../../resources/user/useUserName.ts'
import type { Profile } from '../../schemas/account/profile.ts'
import { roles } from '../../schemas/define/access.ts'
import type { Endpoint } from '../../schemas/define/endpoint.ts'
import { nezhaEndpoints } from '../../schemas/endpoints/nezhaEndpoints.ts'
import { type Transfer, transferStates } from '../../schemas/machines/transfer.ts'
import { NezhaPanel } from './NezhaPanel.tsx'
import { useNezhaList } from './useNezhaList.ts'

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
