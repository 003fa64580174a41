import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { useMutation } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useDataProvider, useRecordContext, useRefresh, useTranslate } from 'react-admin'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { LazyReferencePicker } from '../../../engine/kinds/reference/LazyReferencePicker.ts'
import { dnsMatches, dnsRecords } from '../../../schemas/checks/protocols.ts'
import { starttlsProtocols } from '../../../schemas/checks/tls.ts'
import { checkEndpoints } from '../../../schemas/endpoints/checkEndpoints.ts'
import {
  CheckChoice,
  CheckFlag,
  CheckGrid,
  CheckLines,
  CheckNumber,
  CheckPairs,
  CheckText,
  useCheckForm,
} from './controls.tsx'
import { PushAddress } from './PushAddress.tsx'

/** Whether TLS is there from the beginning, and whether its certificate counts. */
function TlsFlags() {
  const { check } = useCheckForm()
  return (
    <CheckGrid>
      <CheckFlag name="tls" />
      {check.tls ? <CheckFlag name="verify_tls" /> : null}
    </CheckGrid>
  )
}

/** The fields of a check of a port. */
export function TcpFields() {
  return (
    <>
      <CheckText name="send" help="bytes" lines={2} />
      <CheckText name="expect" help="bytes" />
      <TlsFlags />
    </>
  )
}

/** The fields of a check of a name. */
export function DnsFields() {
  const { check } = useCheckForm()
  const isSeveral = Array.isArray(check.expected) && check.expected.length > 1
  return (
    <>
      <CheckGrid>
        <CheckChoice name="record" choices={dnsRecords} worded={[]} />
        <CheckText name="resolver" help="resolver" placeholder="9.9.9.9:53" />
      </CheckGrid>
      <CheckLines name="expected" help="expected" />
      {isSeveral ? <CheckChoice name="match" choices={dnsMatches} /> : null}
    </>
  )
}

/** The fields of a check of a mail server. */
export function MailFields() {
  return (
    <>
      <CheckText name="capabilities" help="capabilities" />
      <TlsFlags />
    </>
  )
}

/** The fields of a check of an SSH server. */
export function SshFields() {
  return <CheckText name="expect" placeholder="OpenSSH" />
}

/** The fields of a check of a gRPC server. */
export function GrpcFields() {
  return (
    <>
      <CheckText name="service" help="service" placeholder="shop.v1.Orders" />
      <CheckPairs name="headers" isSecret />
      <TlsFlags />
    </>
  )
}

/** The fields of a check of an MQTT broker. */
export function MqttFields() {
  const { check } = useCheckForm()
  return (
    <>
      <CheckGrid>
        <CheckText name="user" />
        <CheckText name="password" isSecret />
      </CheckGrid>
      <CheckGrid>
        <CheckText name="topic" help="topic" placeholder="sensors/+/state" />
        {check.topic ? <CheckNumber name="wait" /> : null}
      </CheckGrid>
      {check.topic ? <CheckText name="expect" /> : null}
      <TlsFlags />
    </>
  )
}

/** The fields of a check by pings. */
export function PingFields() {
  return (
    <>
      <CheckGrid>
        <CheckNumber name="packets" />
        <CheckNumber name="size" />
      </CheckGrid>
      <CheckGrid>
        <CheckNumber name="max_loss" />
        <CheckNumber name="max_jitter" help="max_jitter" />
      </CheckGrid>
    </>
  )
}

/** The fields of a check of a WebSocket. */
export function WebsocketFields() {
  return (
    <>
      <CheckText name="send" lines={2} isSecret />
      <CheckText name="expect" />
      <CheckPairs name="headers" isSecret />
      <CheckFlag name="verify_tls" />
    </>
  )
}

/** The fields of a check of a certificate. */
export function TlsFields() {
  const { check } = useCheckForm()
  return (
    <>
      <CheckGrid>
        <CheckNumber name="days_left" help="days_left" />
        <CheckChoice name="starttls" choices={starttlsProtocols} worded={['']} />
      </CheckGrid>
      <CheckText name="name" help="name" />
      <CheckFlag name="verify_tls" />
      {check.verify_tls ? <CheckText name="ca" lines={2} help="ca" /> : null}
    </>
  )
}

/** What a query looks like, by the kind of the check. */
const queries: Readonly<Record<string, string>> = {
  postgres: 'SELECT 1',
  mysql: 'SELECT 1',
  redis: 'GET key',
  mongodb: '{"find": "jobs", "filter": {"state": "done"}}',
}

/** The fields of a check of a database server. */
export function DatabaseFields() {
  const { check } = useCheckForm()
  const isMongodb = check.kind === 'mongodb'
  return (
    <>
      <CheckGrid>
        <CheckText name="user" help={check.kind === 'redis' ? undefined : 'user'} />
        <CheckText name="password" isSecret />
      </CheckGrid>
      <CheckGrid>
        <CheckText name="database" help={isMongodb ? 'database' : undefined} />
        <CheckText name="query" help={isMongodb ? 'command' : 'query'} placeholder={queries[String(check.kind)]} />
      </CheckGrid>
      <TlsFlags />
    </>
  )
}

/** The fields of a check of several services together. */
export function GroupFields() {
  const translate = useTranslate()
  const { check, set, errors } = useCheckForm()
  const isNumber = typeof check.needs === 'number' || !['all', 'any'].includes(String(check.needs))
  return (
    <>
      <Suspense>
        <LazyReferencePicker
          to="service"
          required
          label={translate('app.checks.fields.services')}
          multiple
          error={errors.get('services')}
          chosen={Array.isArray(check.services) ? check.services.map(Number) : []}
          onChoose={(services) => set({ services: [...services] })}
        />
      </Suspense>
      <CheckGrid>
        <CheckChoice
          name="needs"
          choices={['all', 'any', 'number']}
          shown={isNumber ? 'number' : String(check.needs)}
          onChoose={(chosen) => set({ needs: chosen === 'number' ? 1 : chosen })}
        />
        {isNumber ? <CheckNumber name="needs" help="needs" /> : null}
      </CheckGrid>
    </>
  )
}

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
