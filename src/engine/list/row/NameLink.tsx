import type { ReactNode } from 'react'
import { LinkBase, useRecordContext } from 'react-admin'
import { mayOn } from '../../../schemas/define/access.ts'
import { useAddresses, useScreen } from '../../define/screen.ts'
import '../../parts/row.css'

/**
 * A record's name, leading to its overview or, if this person may change it, to its form: what the keyboard reaches in a
 * row.
 */
export function NameLink({ children }: { children: ReactNode }) {
  const addresses = useAddresses()
  const { opens, texts, translate } = useScreen()
  const record = useRecordContext()
  if (!record) return null
  const name = opens(record) ? (
    <LinkBase className="name-link" to={addresses.open(record.id)} title={texts.nameOf(record)}>
      {children}
    </LinkBase>
  ) : (
    children
  )
  if (mayOn(record, 'configure')) return name
  return (
    <>
      {name} <small className="read-only">{translate('app.list.read_only')}</small>
    </>
  )
}
