import { textsIn } from '../define/text.ts'
import { laterTexts } from './texts.ts'

export default textsIn('en', laterTexts)
