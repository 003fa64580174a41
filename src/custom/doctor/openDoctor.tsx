import type { Root } from 'react-dom/client'
import { initialLocale } from '../../site/publicSetting.ts'
import { DoctorPage } from './DoctorPage.tsx'
import { loadTexts } from './doctorTexts.ts'

/** Renders the page in the language chosen in this browser. */
export async function openDoctor(root: Root): Promise<void> {
  root.render(<DoctorPage first={await loadTexts(initialLocale())} />)
}
