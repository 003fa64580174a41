import { type Check, findingAbout, links, nameOf } from './check.ts'

export const uncheckedCertificates: Check = {
  name: 'unchecked_certificates',
  severity: 'warning',
  link: links.notifiers,
  find({ notifiers }) {
    const unchecked = notifiers.filter(({ verify_tls }) => verify_tls !== true)
    return findingAbout(unchecked.map((one) => ({ label: nameOf(one), to: `notification/${one.id}` })))
  },
}
