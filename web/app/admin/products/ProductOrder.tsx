import { ActionIcon, Button, Group, Stack, Text, Title } from '@mantine/core'
import type { EditedProduct } from '@olmos/contract/products'
import { IconGripVertical } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { Surface } from '../../ui/Surface.tsx'
import { Thumbnail } from '../../ui/Thumbnail.tsx'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { BackLink } from '../list/BackLink.tsx'
import { Loaded } from '../list/ListFailed.tsx'
import classes from './ProductOrder.module.css'
import { orderProducts, useProductsInOrder } from './products.queries.ts'

/** All products in the order in which customers see them, to be dragged, or moved by the arrow keys. */
export function ProductOrder() {
  const { t } = useTranslation()
  const query = useProductsInOrder()
  const [turn, setTurn] = useState(0)
  const showPresent = async () => {
    await query.refetch()
    setTurn(turn + 1)
  }
  return (
    <Stack>
      <Group>
        <BackLink to={paths.admin('products')} text={t('admin.products.allProducts')} />
      </Group>
      <Title order={2} size="h3">
        {t('admin.products.order')}
      </Title>
      <Text c="dimmed" size="sm">
        {t('admin.products.orderHint')}
      </Text>
      <Loaded query={query} height={420}>
        {(products) => <OrderedList key={turn} products={products} onAgain={showPresent} />}
      </Loaded>
    </Stack>
  )
}

/** What is arranged stays as it is when the list is read again meanwhile. */
function OrderedList({ products, onAgain }: { products: EditedProduct[]; onAgain(): void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [rows, setRows] = useState(products)
  const [dragged, setDragged] = useState<number>()
  const [moved, setMoved] = useState('')
  const list = useRef<HTMLOListElement>(null)
  const [seen] = useState(() => products.map(({ id }) => id))
  const ids = rows.map(({ id }) => id)
  const save = useAdminAction({
    noun: 'products',
    send: () => orderProducts(ids, seen),
    done: t('admin.form.saved'),
    onDone: () => navigate(paths.admin('products')),
  })
  const isSame = ids.join() === seen.join()

  const moveTo = (id: number, to: number) => {
    const from = rows.findIndex((row) => row.id === id)
    const row = rows[from]
    if (!row || from === to || to < 0 || to >= rows.length) return
    const others = rows.filter((one) => one !== row)
    setRows([...others.slice(0, to), row, ...others.slice(to)])
    setMoved(t('admin.products.movedTo', { name: row.name, place: to + 1, total: rows.length }))
  }

  /** The place in the list that a height of the window stands over. */
  const placeAt = (y: number): number => {
    const boxes = [...(list.current?.children ?? [])].map((item) => item.getBoundingClientRect())
    const under = boxes.findIndex(({ top, height }) => y < top + height)
    return under < 0 ? rows.length - 1 : under
  }

  const onKeyDown = (event: React.KeyboardEvent, id: number, place: number) => {
    const steps: Record<string, number> = { ArrowUp: place - 1, ArrowDown: place + 1, Home: 0, End: rows.length - 1 }
    const to = steps[event.key]
    if (to === undefined) return
    event.preventDefault()
    moveTo(id, to)
  }

  return (
    <Surface>
      <Stack>
        <ol className={classes.list} ref={list} aria-label={t('admin.products.order')}>
          {rows.map((product, place) => (
            <li key={product.id} className={classes.row} data-dragged={product.id === dragged}>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                className={classes.grip}
                aria-label={t('admin.products.move', { name: product.name, place: place + 1 })}
                onPointerDown={(event) => {
                  event.currentTarget.setPointerCapture(event.pointerId)
                  setDragged(product.id)
                }}
                onPointerMove={(event) => dragged === product.id && moveTo(product.id, placeAt(event.clientY))}
                onLostPointerCapture={() => setDragged(undefined)}
                onKeyDown={(event) => onKeyDown(event, product.id, place)}
              >
                <IconGripVertical size={18} />
              </ActionIcon>
              <Thumbnail src={product.imageUrl} width={44} />
              <Text c={product.isActive ? undefined : 'dimmed'}>
                {product.name}
                <Text span size="sm" c="dimmed" ms="xs">
                  {product.slug}
                </Text>
              </Text>
            </li>
          ))}
        </ol>
        <div role="status" className="visually-hidden">
          {moved}
        </div>
        <RefusalAlert text={save.refusal} />
        <Group>
          <Button disabled={isSame} loading={save.isPending} onClick={() => save.mutate(undefined)}>
            {t('admin.form.save')}
          </Button>
          {save.refusal && (
            <Button variant="default" onClick={onAgain}>
              {t('admin.products.orderAgain')}
            </Button>
          )}
        </Group>
      </Stack>
    </Surface>
  )
}
