import { HttpError, useLocale, useTranslate } from 'react-admin'
import { formatBytes } from '../../../components/format/format.ts'
import { FileFailure } from './fileFailure.ts'

/** Says what an error about files means: the server's message, else ours. */
export function useFailureMessage(): (error: unknown) => string {
  const translate = useTranslate()
  const locale = useLocale()
  return (error) => {
    if (!(error instanceof FileFailure)) {
      // What the server refuses is no fault of the page.
      if (!(error instanceof HttpError)) console.error(error)
      return translate((error instanceof Error && error.message) || 'app.toast.unexpected')
    }
    const { code, message, size } = error.failure
    const kind = /^requested file is a (named pipe|device|socket)$/.exec(message ?? '')?.[1]
    if (kind) return translate(`app.files.unreadable.${kind.replace(' ', '_')}`)
    if (code === 'refused') return message || translate('app.toast.unexpected')
    return translate(`app.files.failure.${code}`, { size: size === undefined ? '' : formatBytes(size, locale) })
  }
}
