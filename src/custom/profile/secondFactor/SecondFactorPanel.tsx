import { useTranslate } from 'react-admin'
import { Panel } from '../../../components/Panel.tsx'
import { SecondFactorList } from './SecondFactorList.tsx'

/** The user's second factor, as a section of the profile. For servers that announce `wheelhouse.second_factor`. */
export function SecondFactorPanel() {
  const translate = useTranslate()
  return (
    <Panel title={translate('app.second_factor.title')} hint={translate('app.second_factor.hint')}>
      <SecondFactorList />
    </Panel>
  )
}
