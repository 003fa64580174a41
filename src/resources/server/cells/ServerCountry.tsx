import { useLanguage } from '../../../components/format/useLanguage.ts'
import { useServerRow } from '../../../components/serverMetrics.ts'
import { countryText } from './serverTexts.ts'

/** The name of the country that the server's address is in, where the server knows it. */
export function ServerCountry() {
  const record = useServerRow()
  const language = useLanguage()
  return record ? countryText(record, { language }) : null
}
