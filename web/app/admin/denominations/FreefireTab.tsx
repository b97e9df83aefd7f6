import { DenominationList } from './DenominationList.tsx'

export default function FreefireTab() {
  return <DenominationList game="freefire" />
}
