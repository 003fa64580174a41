import { dnsMatches, dnsRecords } from '../../../schemas/checks/protocols.ts'
import { starttlsProtocols } from '../../../schemas/checks/tls.ts'
import { useCheckForm } from './checkForm.ts'
import { CheckChoice, CheckFlag, CheckGrid, CheckLines, CheckNumber, CheckPairs, CheckText } from './controls.tsx'

/** Whether TLS is there from the beginning, and whether its certificate counts. */
export function TlsFlags() {
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
