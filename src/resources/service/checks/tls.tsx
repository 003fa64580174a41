import { starttlsProtocols } from '../../../schemas/checks/tls.ts'
import { useCheckForm } from './checkForm.ts'
import { CheckChoice, CheckFlag, CheckGrid, CheckNumber, CheckText } from './controls.tsx'

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
