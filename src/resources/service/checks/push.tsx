import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { useMutation } from '@tanstack/react-query'
import { useDataProvider, useRecordContext, useRefresh, useTranslate } from 'react-admin'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { checkEndpoints } from '../../../schemas/endpoints/checkEndpoints.ts'
import { CheckGrid, CheckNumber, CheckText } from './controls.tsx'
import { PushAddress } from './PushAddress.tsx'

/** The fields of a check by a job that reports here, and the address that it calls. */
export function PushFields() {
  const translate = useTranslate()
  const record = useRecordContext()
  const refresh = useRefresh()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const renewal = useMutation({
    mutationFn: () => call(checkEndpoints.renewPush, { id: Number(record?.id) }),
    onSuccess: () => refresh(),
  })
  const path: unknown = renewal.data?.push_path ?? record?.push_path
  return (
    <>
      <CheckGrid>
        <CheckNumber name="interval" help="interval" />
        <CheckNumber name="grace" help="grace" />
      </CheckGrid>
      <CheckGrid>
        <CheckText name="schedule" help="schedule" placeholder="0 30 3 * * *" />
        <CheckText name="zone" help="zone" placeholder="Europe/Rome" />
      </CheckGrid>
      {path ? (
        <>
          <PushAddress address={`${window.location.origin}${path}`} />
          <div>
            <Button variant="outlined" size="small" loading={renewal.isPending} onClick={() => renewal.mutate()}>
              {translate('app.checks.push_renew')}
            </Button>
          </div>
          {renewal.data ? <Alert severity="warning">{translate('app.checks.push_renewed')}</Alert> : null}
          {renewal.error ? <Alert severity="error">{translate(renewal.error.message)}</Alert> : null}
        </>
      ) : (
        <small>{translate('app.checks.push_later')}</small>
      )}
    </>
  )
}
