"""Lightning's Trainer, automatic optimization: 2 epochs of 20 updates, validation after each."""

import logging
import tempfile
import warnings

import lightning
import torch
from torch import nn
from training import finish, make_loader, make_model, setup


class Module(lightning.LightningModule):
    def __init__(self) -> None:
        super().__init__()
        self.model = make_model()
        self.losses: list[float] = []

    def training_step(self, batch: list[torch.Tensor], _index: int) -> torch.Tensor:
        loss = nn.functional.cross_entropy(self.model(batch[0]), batch[1])
        self.losses.append(loss.item())
        return loss

    def validation_step(self, batch: list[torch.Tensor], _index: int) -> None:
        self.losses.append(nn.functional.cross_entropy(self.model(batch[0]), batch[1]).item())

    def configure_optimizers(self) -> torch.optim.Optimizer:
        return torch.optim.SGD(self.parameters(), lr=0.05)


setup()
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
warnings.filterwarnings("ignore")
module = Module()
with tempfile.TemporaryDirectory() as folder:
    trainer = lightning.Trainer(
        max_epochs=2,
        accelerator="cpu",
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        num_sanity_val_steps=0,
        default_root_dir=folder,
    )
    trainer.fit(module, make_loader(), make_loader(40))
finish(module.losses, module.model)
