import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { Confirm } from '../../ui/Confirm.tsx'
import { useClearCart } from './cart.queries.ts'

export function ClearCart() {
  const { t } = useTranslation()
  const [isOpen, { open, close }] = useDisclosure()
  const clear = useClearCart()

  const confirm = () => {
    close()
    clear.mutate()
  }

  return (
    <>
      <Button variant="subtle" color="gray" px={8} aria-haspopup="dialog" onClick={open}>
        {t('cart.clear')}
      </Button>
      <Confirm
        isOpen={isOpen}
        onClose={close}
        onConfirm={confirm}
        texts={{
          title: t('cart.clearTitle'),
          text: t('cart.clearText'),
          confirm: t('cart.clear'),
          cancel: t('cart.keep'),
        }}
      />
    </>
  )
}
