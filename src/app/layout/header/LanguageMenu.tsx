import Translate from '@mui/icons-material/Translate'
import { useLocales, useTranslate } from 'react-admin'
import { useLanguageSwitch } from '../../../components/LanguageProvider.tsx'
import { MenuButton } from '../../../components/MenuButton.tsx'

/** The menu of languages, each by its own name. The i18n provider saves the choice. */
export function LanguageMenu() {
  const translate = useTranslate()
  const languages = useLocales()
  const [current, choose] = useLanguageSwitch()
  return (
    <MenuButton
      label={translate('app.shell.language')}
      icon={<Translate fontSize="small" />}
      items={languages.map(({ locale, name }) => ({
        key: locale,
        label: name,
        lang: locale,
        checked: locale === current,
        onSelect: () => choose(locale),
      }))}
    />
  )
}
