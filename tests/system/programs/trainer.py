"""transformers.Trainer on a tiny model of its own: 20 updates, one evaluation."""

import sys
import tempfile

import torch
from torch import nn
from torch.utils.data import Dataset
from training import BATCH, finish, make_data, setup
from transformers import Trainer, TrainingArguments


class Rows(Dataset[dict[str, torch.Tensor]]):
    def __init__(self, samples: int) -> None:
        self.data = make_data(samples)

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, index: int) -> dict[str, torch.Tensor]:
        x, y = self.data[index]
        return {"x": x, "labels": y}


class Classifier(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))

    def forward(self, x: torch.Tensor, labels: torch.Tensor) -> dict[str, torch.Tensor]:
        logits = self.layers(x)
        return {"loss": nn.functional.cross_entropy(logits, labels), "logits": logits}


setup()
with tempfile.TemporaryDirectory() as folder:
    arguments = TrainingArguments(
        output_dir=folder,
        num_train_epochs=1,
        per_device_train_batch_size=BATCH,
        use_cpu=True,
        report_to=[],
        save_strategy="no",
        eval_strategy="epoch",
        logging_steps=10,
        disable_tqdm=True,
        seed=0,
    )
    trainer = Trainer(
        model=Classifier(), args=arguments, train_dataset=Rows(160), eval_dataset=Rows(40)
    )
    trainer.train()
    losses = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
    print("global_step", trainer.state.global_step, file=sys.stderr)
    sys.stdout.flush()
    finish(losses, trainer.model)
